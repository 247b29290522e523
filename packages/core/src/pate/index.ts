/**
 * Labels from the votes of teachers.
 * @module
 */

export {
  labelByTeachers,
  type TeacherLabels,
  type TeacherOptions,
  type TeacherReport,
  TeacherRun,
  type Votes,
} from "./label-by-teachers.js";
export type { MultiClassOptions } from "./multi-class-task.js";
export type { MultiLabelOptions } from "./multi-label-task.js";
export type { Accounting, AccountOptions, Spent } from "./query-account.js";
export type { TeacherAnswer } from "./teacher-task.js";
export type { QueryVotes } from "./vote-counts.js";
