/**
 * The few pictures of the page, drawn in place and hidden from screen readers: words always stand beside them.
 * @module
 */
const PATHS = {
  hidden:
    "M3 3l18 18M10.6 6.1A9.8 9.8 0 0 1 12 6c6 0 9.5 6 9.5 6a17 17 0 0 1-3 3.6M6.5 7.6A17 17 0 0 0 2.5 12S6 18 12 18a9.4 9.4 0 0 0 4.3-1M9.9 9.9a3 3 0 0 0 4.2 4.2",
  publish: "M4 12.5l5 5L20 6.5",
  file: "M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6",
  grains:
    "M12 3c2 2.3 2 4.7 0 7-2-2.3-2-4.7 0-7zM6 8c2.6.7 4 2.4 4 5-2.6-.7-4-2.4-4-5zM18 8c-2.6.7-4 2.4-4 5 2.6-.7 4-2.4 4-5zM12 12v9",
  download: "M12 4v11M7.5 11l4.5 4.5 4.5-4.5M5 20h14",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
} as const;

type IconName = keyof typeof PATHS;

export function Icon({ name, size = 20 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="1.8"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}

/** Half hatched, half clean: the private side and the side that may be published. */
export function Mark() {
  return (
    <svg width="30" height="30" viewBox="0 0 32 32" aria-hidden="true">
      <path d="M16 2a14 14 0 0 0 0 28z" fill="none" stroke="currentColor" stroke-width="1.6" />
      <path
        d="M4.5 12l9-9M2.6 18L15 5.6M3.6 23L15 11.6M6 26.7L15 17.6M9.5 29L15 23.5"
        stroke="currentColor"
        stroke-width="1.3"
      />
      <path d="M17 2a14 14 0 0 1 0 28z" fill="var(--accent)" />
    </svg>
  );
}
