/**
 * Whom to believe, as one file (C2SP `tlog-policy`): the keys of a ledger, the keys of witnesses, and how many of them must have
 * cosigned a head. Who publishes keeps one to reach the witnesses; who reads a release keeps one of their own making.
 *
 *     log     example.org/ledger+2f9a4c1e+AZ…
 *     witness paper  paper.example/w+10d5c2aa+BJ…   https://witness.paper.example
 *     witness library library.example/w+6e0f1b7d+BN…  https://w.library.example
 *     group   both 2 paper library
 *     quorum  both
 * @module
 */
import { invalidParameter } from "winnow-dp";
import { keyAs, type NoteKey, readNoteKey } from "./note-keys.js";

/** A witness of a policy. */
export interface PolicyWitness {
  readonly name: string;
  readonly key: NoteKey;
  /** Where it is asked: an address, or a folder. */
  readonly url?: string;
}

/** At least `least` of these have cosigned; a witness counts as itself. */
interface Group {
  readonly least: number;
  readonly members: readonly string[];
}

/** Which logs and witnesses are trusted, and how many must agree. */
export interface Policy {
  readonly logs: readonly NoteKey[];
  readonly witnesses: readonly PolicyWitness[];
  /** Whether cosignatures by these keys are enough. */
  isQuorum(cosigned: readonly NoteKey[]): boolean;
}

const MOST_LINES = 1000;

/** Reads the file; throws and names the line that isn't right. */
export function readPolicy(text: string): Policy {
  const reader = new PolicyReader();
  const lines = text.split("\n");
  if (lines.length > MOST_LINES || /[^\P{Cc}\t\n]/u.test(text))
    throw invalidParameter("policy", `at most ${MOST_LINES} lines of text`);
  for (const [i, line] of lines.entries()) {
    const words = line.split(/[ \t]+/).filter((word) => word !== "");
    if (words.length > 0 && !words[0]!.startsWith("#")) reader.take(words, i + 1);
  }
  return reader.policy();
}

class PolicyReader {
  readonly #logs: NoteKey[] = [];
  readonly #witnesses: PolicyWitness[] = [];
  readonly #groups = new Map<string, Group>();
  readonly #members = new Set<string>();
  #quorum: string | undefined;

  take([kind, ...words]: readonly string[], line: number): void {
    if (kind === "log") this.#log(words, line);
    else if (kind === "witness") this.#witness(words, line);
    else if (kind === "group") this.#group(words, line);
    else if (kind === "quorum") this.#setQuorum(words, line);
    else throw wrong(line, "log, witness, group or quorum");
  }

  #log([text, ...rest]: readonly string[], line: number): void {
    const key = keyIn(text, line);
    const isKnown = this.#logs.some(({ bytes }) => bytes === key.bytes);
    if (rest.length > 1 || isKnown || key.type !== "head")
      throw wrong(line, "log and the key of a ledger, each once");
    this.#logs.push(key);
  }

  #witness([name, text, url, ...rest]: readonly string[], line: number): void {
    const key = keyAs("cosignature", keyIn(text, line));
    const isKnown = this.#witnesses.some((one) => one.key.bytes === key.bytes);
    if (name === undefined || rest.length > 0 || isKnown || this.#isDefined(name))
      throw wrong(line, "witness, a new name, a new key, and perhaps an address");
    this.#witnesses.push({ name, key, ...(url !== undefined && { url }) });
  }

  #group([name, many, ...members]: readonly string[], line: number): void {
    const least = many === "any" ? 1 : many === "all" ? members.length : Number(many);
    const isNumber = many === "any" || many === "all" || /^[1-9]\d{0,3}$/.test(many ?? "");
    const areNew = members.every((one) => this.#isNamed(one) && !this.#members.has(one));
    const isWhole =
      isNumber && least >= 1 && least <= members.length && new Set(members).size === members.length;
    if (name === undefined || this.#isDefined(name) || !isWhole || !areNew)
      throw wrong(
        line,
        "group, a new name, a number, any or all, and names from lines above, each in one group",
      );
    for (const member of members) this.#members.add(member);
    this.#groups.set(name, { least, members });
  }

  #setQuorum([name, ...rest]: readonly string[], line: number): void {
    const isKnown = name !== undefined && (name === "none" || this.#isNamed(name));
    if (!isKnown || rest.length > 0 || this.#quorum !== undefined)
      throw wrong(line, "quorum and a name from a line above, once");
    this.#quorum = name;
  }

  #isNamed(name: string): boolean {
    return this.#groups.has(name) || this.#witnesses.some((one) => one.name === name);
  }

  #isDefined(name: string): boolean {
    return name === "none" || this.#isNamed(name);
  }

  policy(): Policy {
    const quorum = this.#quorum;
    if (quorum === undefined) throw invalidParameter("policy", "a text with a line that begins with quorum");
    const [witnesses, groups] = [this.#witnesses, this.#groups];
    return {
      logs: this.#logs,
      witnesses,
      isQuorum(cosigned) {
        const names = witnesses
          .filter(({ key }) => cosigned.some(({ bytes, name }) => bytes === key.bytes && name === key.name))
          .map(({ name }) => name);
        const holds = (name: string): boolean => {
          const group = groups.get(name);
          if (group === undefined) return names.includes(name);
          return group.members.filter(holds).length >= group.least;
        };
        return quorum === "none" || holds(quorum);
      },
    };
  }
}

function keyIn(text: string | undefined, line: number): NoteKey {
  try {
    return readNoteKey(text ?? "");
  } catch {
    throw wrong(line, "a public key such as example.org/ledger+2f9a4c1e+AZ…");
  }
}

function wrong(line: number, rule: string) {
  return invalidParameter("policy", `a file whose line ${line} has ${rule}`);
}
