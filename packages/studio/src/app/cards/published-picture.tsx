/**
 * The picture of a release, as it will be printed: its title and nouns can be edited, items get labels from a public file, intervals
 * hold one by one or all at once, and the data set is named only if someone wants it. Everything here follows from the release
 * and from public texts, so nothing is charged, and the downloads are the picture that is shown.
 * @module
 */
import { useSignal } from "@preact/signals";
import { useMemo, useRef } from "preact/hooks";
import { ListError, type Nouns, type Release, readLabels, type SvgOptions, toSvg } from "winnow-release";
import type { Published } from "../../worker/api.js";
import { Choice, TextField } from "../parts/fields.js";
import { counted } from "../parts/in-words.js";
import { addressOf, Downloads } from "./take-away.js";

export function PublishedPicture({ published }: { readonly published: Published }) {
  const title = useSignal("");
  const item = useSignal("");
  const items = useSignal("");
  const person = useSignal("");
  const people = useSignal("");
  const intervals = useSignal<"each" | "all">("each");
  const dataset = useSignal<"no" | "yes">("no");
  const labels = useSignal<ReadonlyMap<string, string> | undefined>(undefined);
  const said = useSignal("");
  const input = useRef<HTMLInputElement>(null);
  const release = published.release as Release;
  const options: SvgOptions = {
    ...(title.value.trim() !== "" && { title: title.value.trim() }),
    ...nounsOf([item.value, items.value], [person.value, people.value]),
    intervals: intervals.value,
    namesDataset: dataset.value === "yes",
    ...(labels.value && { labels: labels.value }),
  };
  const key = JSON.stringify([options, labels.value?.size]);
  const svg = useMemo(
    () => ({
      light: toSvg(release, { ...options, dark: false }),
      dark: toSvg(release, { ...options, dark: true }),
      screen: toSvg(release, options),
      narrow: toSvg(release, { ...options, narrow: true }),
    }),
    [release, key],
  );
  const { caption } = published.documents;
  const load = async (file: File) => {
    try {
      const read = readLabels(await file.text());
      labels.value = read;
      const used = release.answer.winners.filter((winner) => read.has(winner.item)).length;
      said.value = `${counted(used, "label", "labels")} of ${file.name} used.`;
    } catch (error) {
      said.value =
        error instanceof ListError ? `The file of labels ${error.message}` : "The file can’t be read.";
    }
  };
  return (
    <>
      <picture class="released-picture">
        <source media="(max-width: 40rem)" srcSet={addressOf(svg.narrow)} />
        <img src={addressOf(svg.screen)} alt={`The answer as a picture. ${caption}`} />
      </picture>
      <Downloads published={{ ...published, documents: { ...published.documents, svg } }} />
      {published.released && (
        <details class="edit-picture">
          <summary>Edit the picture</summary>
          <div class="stack">
            <TextField label="Title" value={title} placeholder="as the answer says" />
            <div class="pair">
              <TextField label="One item is a" value={item} placeholder="item" />
              <TextField label="Several items are" value={items} placeholder="items" />
              <TextField label="One person is a" value={person} placeholder="user" />
              <TextField label="Several people are" value={people} placeholder="users" />
            </div>
            {published.rows.some(({ count }) => count?.low !== undefined) && (
              <Choice
                legend="Which intervals?"
                chosen={intervals}
                options={[
                  { value: "each", label: "Each on its own" },
                  { value: "all", label: "All at once, wider" },
                ]}
              />
            )}
            <Choice
              legend="Name the data set in the picture?"
              chosen={dataset}
              options={[
                { value: "no", label: "No" },
                { value: "yes", label: "Yes" },
              ]}
            />
            <div class="row">
              <button type="button" class="small-button" onClick={() => input.current?.click()}>
                Load labels
              </button>
              <span class="soft small" role="status">
                {said.value || "A public CSV file: items, then what to call them."}
              </span>
            </div>
            <input
              ref={input}
              type="file"
              class="visually-hidden"
              aria-label="File of labels"
              tabIndex={-1}
              accept=".csv,.tsv,.txt"
              onChange={({ currentTarget }) => {
                const file = currentTarget.files?.[0];
                if (file) void load(file);
                currentTarget.value = "";
              }}
            />
          </div>
        </details>
      )}
    </>
  );
}

/** The typed nouns, in place of items and users. */
function nounsOf(
  items: readonly [string, string],
  people: readonly [string, string],
): { readonly nouns?: Nouns } {
  const both = (typed: readonly [string, string], usual: readonly [string, string]) =>
    [
      typed[0].trim() || usual[0],
      typed[1].trim() || (typed[0].trim() && `${typed[0].trim()}s`) || usual[1],
    ] as const;
  if ([...items, ...people].every((word) => word.trim() === "")) return {};
  return { nouns: { items: both(items, ["item", "items"]), people: both(people, ["user", "users"]) } };
}
