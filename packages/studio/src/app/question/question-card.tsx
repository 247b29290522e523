/**
 * Step two: the question. It is public, and can be asked before there is any data.
 * @module
 */
import { Card } from "../parts/card.js";
import { ProblemNote } from "../parts/problem-note.js";
import { costProblem } from "../state/price-state.js";
import { isAboutTheQuestion } from "../state/problem.js";
import { missing } from "../state/question-state.js";
import { AdvancedFields } from "./advanced-fields.js";
import { DomainField } from "./domain-field.js";
import { PrivacyFields } from "./privacy-fields.js";
import { WinnersField } from "./winners-field.js";

export function QuestionCard() {
  return (
    <Card title="Your question" ordinal={2}>
      <WinnersField />
      <DomainField />
      <PrivacyFields />
      <AdvancedFields />
      <p class="note" role="status">
        {missing.value}
      </p>
      <ProblemNote problem={isAboutTheQuestion(costProblem.value) ? costProblem.value : undefined} />
    </Card>
  );
}
