/**
 * Step one: the data.
 * @module
 */
import { useRef } from "preact/hooks";
import { Card } from "../parts/card.js";
import { ProblemNote } from "../parts/problem-note.js";
import { dataProblem, phase, view } from "../state/data-state.js";
import { Counting } from "./counting.js";
import { FileDrop } from "./file-drop.js";
import { FileForm } from "./file-form.js";
import { PrivateCounts } from "./private-counts.js";

export function DataCard() {
  const empty = phase.value === "empty" || phase.value === "opening";
  const hadFile = useRef(false);
  if (!empty) hadFile.current = true;
  return (
    <Card title="Your data" ordinal={1}>
      <ProblemNote problem={dataProblem.value} />
      {empty ? <FileDrop takesFocus={hadFile.current} /> : <FileForm />}
      {phase.value === "counting" && <Counting />}
      {view.value && <PrivateCounts counts={view.value} />}
    </Card>
  );
}
