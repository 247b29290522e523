/** What the changelog says of a version: the notes of its release. */

const HEADING = /^## .*$/gm;

/** The section of a version, or what is unreleased if it has none yet. Throws where there is nothing to tell. */
export function changesOf(changelog: string, version: string): string {
  const sections = [...changelog.matchAll(HEADING)].map(({ 0: title, index }, place, all) => ({
    title: title.slice(3).replace(/^\[|\].*$/g, ""),
    text: changelog.slice(index + title.length, all[place + 1]?.index).trim(),
  }));
  const named = sections.find(({ title }) => title.split(/[\s(]/, 1)[0] === version);
  const section = named ?? sections.find(({ title }) => title === "Unreleased");
  if (section === undefined || section.text === "")
    throw new Error(`CHANGELOG.md must have a section for ${version} that says what changed`);
  return `${section.text}\n`;
}
