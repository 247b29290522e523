/**
 * Which data set is meant on the command line of `winnow budget`: a name as given with --dataset, or the file or server
 * itself, which is then called what a release would call it.
 * @module
 */
import { existsSync } from "node:fs";
import { datasetName } from "../release/dataset-name.js";

const ADDRESS = /^[a-z][a-z\d+.-]*:\/\//i;

export function namedDataset(argument: string): string {
  const isSource = ADDRESS.test(argument) || existsSync(argument);
  return isSource ? datasetName(argument, undefined) : datasetName(argument, argument);
}
