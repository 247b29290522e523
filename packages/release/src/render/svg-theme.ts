/**
 * The colours of a picture, for light and dark surroundings. Green means, as on the page: this may be published. Text has a contrast of at least 4.5 : 1.
 * @module
 */

interface Theme {
  readonly paper: string;
  readonly ink: string;
  readonly quiet: string;
  readonly grid: string;
  readonly bar: string;
  readonly whisker: string;
}

const LIGHT: Theme = {
  paper: "#fffefc",
  ink: "#1b211e",
  quiet: "#545d58",
  grid: "#dedacf",
  bar: "#86bfab",
  whisker: "#0d5a44",
};

const DARK: Theme = {
  paper: "#1b1f1d",
  ink: "#edeae2",
  quiet: "#a9b0ab",
  grid: "#343b37",
  bar: "#3b8a70",
  whisker: "#bdf0df",
};

const FONT = "ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', sans-serif";

/** The style sheet of a picture: one theme, or the one that the reader's system asks for. */
export function styleSheet(dark: boolean | undefined): string {
  const base = `text{font-family:${FONT};font-size:14px}.title{font-size:19px;font-weight:650}.small{font-size:12px}.name{font-weight:550}.end{text-anchor:end}.middle{text-anchor:middle}`;
  if (dark !== undefined) return base + colours(dark ? DARK : LIGHT);
  return `${base}${colours(LIGHT)}@media (prefers-color-scheme:dark){${colours(DARK)}}`;
}

function colours({ paper, ink, quiet, grid, bar, whisker }: Theme): string {
  return (
    `.paper{fill:${paper}}text{fill:${ink}}.quiet{fill:${quiet}}.grid{stroke:${grid};stroke-width:1}` +
    `.bar{fill:${bar}}.whisker{stroke:${whisker};stroke-width:1.5;fill:none}`
  );
}
