/**
 * Lines of code wrap, and a browser breaks a line after a hyphen: `--` would stand alone. Options of commands stay whole.
 * @module
 */
import type { ShikiTransformer } from "shiki";

const OPTION = /^(\s+)(-.*)$/s;

/** Marks the options of commands, without the space before them, for the style sheet. Copied text stays as it is. */
export const wholeOptions: ShikiTransformer = {
  name: "whole-options",
  line(line) {
    line.children = line.children.flatMap((part) => {
      const [text] = part.type === "element" ? part.children : [];
      const [, space, option] = (text?.type === "text" && OPTION.exec(text.value)) || [];
      if (part.type !== "element" || option === undefined) return part;
      const whole = { ...part, properties: { ...part.properties, class: "option" } };
      return [
        { type: "text" as const, value: space },
        { ...whole, children: [{ type: "text" as const, value: option }] },
      ];
    });
  },
};
