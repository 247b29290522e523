/**
 * Names of options: `chooseScale` in the program is `choose-scale` in a configuration file and `--choose-scale` where it is
 * typed.
 * @module
 */

export function kebabCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** As it is typed. */
export function optionName(name: string): string {
  return name === "k" ? "-k" : `--${kebabCase(name)}`;
}
