/**
 * Names and values, one pair a line.
 * @module
 */
export function Terms({ terms }: { readonly terms: readonly (readonly [name: string, value: string])[] }) {
  return (
    <dl class="terms">
      {terms.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
