/**
 * Names for the items of generated data: areas of a web site, the well-known ones first, then numbered ones.
 * @module
 */

const AREAS = [
  "search",
  "news",
  "maps",
  "mail",
  "sports",
  "weather",
  "games",
  "jobs",
  "travel",
  "health",
  "music",
  "recipes",
  "movies",
  "finance",
  "books",
  "photos",
  "science",
  "events",
  "fashion",
  "gardens",
  "radio",
  "crafts",
  "pets",
  "history",
  "languages",
  "cycling",
  "astronomy",
  "chess",
  "museums",
  "podcasts",
  "help",
  "about",
];

/** So many distinct names, the popular ones first. */
export function areaNames(count: number): string[] {
  return Array.from({ length: count }, (_, index) => AREAS[index] ?? `area-${index + 1}`);
}
