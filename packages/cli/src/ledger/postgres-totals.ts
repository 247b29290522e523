/**
 * How a PostgreSQL server counts an entry: the rules of summary.ts and folded.ts of winnow-release in SQL, on JSON as
 * postgres-entries.ts parses it. The account that charges passes the text of an entry and nothing else, so it can't choose
 * the totals. The results are the same bytes as those of TypeScript: a test compares both on random logs, and `PostgresStore`
 * at every charge.
 * @module
 */
import { MOST_GROUPS } from "winnow-release";
import { type Helper, SCHEMA, STATES } from "./postgres-entries.js";

/** An account distinguishes this many units, as in summary.ts. */
const MOST_UNITS = 16;

/** By name. */
export const COUNTING: Readonly<Record<string, Helper>> = {
  /** ⌈above/below · 10¹⁰⁰⌉ · 10⁻¹⁰⁰ as text. */
  rounded_up: {
    parameters: "above numeric, below numeric",
    returns: "text",
    language: "sql",
    body: `
    SELECT trim_scale(div(above * 1e100 + below - 1, below) * 1e-100)::text`,
  },
  added: {
    parameters: "one text, other text",
    returns: "text",
    language: "sql",
    body: `
    SELECT CASE WHEN 'Infinity' IN (one, other) THEN 'Infinity' ELSE trim_scale(one::numeric + other::numeric)::text END`,
  },
  /** The sums of charges that are no longer told apart, with one more; both as the text of an array. */
  folded: {
    parameters: "sums json, loss json, late boolean",
    returns: "text",
    language: "plpgsql",
    body: `
    DECLARE
      measure text := loss ->> 'measure';
      has_decade boolean := measure <> 'zcdp';
      size text := loss ->> ${SCHEMA}.size_field(measure);
      parts numeric[] := CASE WHEN size <> 'Infinity' THEN ${SCHEMA}.fraction(size) END;
      failure numeric[] := ${SCHEMA}.fraction(coalesce(loss ->> 'delta', '0'));
      delta text := CASE WHEN measure IN ('zcdp', 'approx') THEN ${SCHEMA}.rounded_up(failure[1], failure[2]) END;
      decade integer;
      squares text;
      times bigint := 1;
      known json;
      at bigint;
      sum_text text;
    BEGIN
      IF has_decade THEN
        SELECT coalesce(min(power), 1) INTO decade FROM generate_series(-10, 0) AS power
          WHERE parts[1] * 1e10 <= parts[2] * ('1' || repeat('0', 10 + power))::numeric;
        squares := coalesce(${SCHEMA}.rounded_up(parts[1] * parts[1], parts[2] * parts[2]), 'Infinity');
      END IF;
      size := coalesce(${SCHEMA}.rounded_up(parts[1], parts[2]), 'Infinity');
      SELECT value, place INTO known, at FROM json_array_elements(sums) WITH ORDINALITY AS all_sums (value, place)
        WHERE (value ->> 'isLate')::boolean = late AND value ->> 'measure' = measure
          AND (value ->> 'decade') IS NOT DISTINCT FROM decade::text ORDER BY place LIMIT 1;
      IF known IS NOT NULL THEN
        times := (known ->> 'times')::bigint + 1;
        size := ${SCHEMA}.added(known ->> 'size', size);
        squares := ${SCHEMA}.added(known ->> 'squares', squares);
        delta := ${SCHEMA}.added(known ->> 'delta', delta);
      END IF;
      sum_text := '{' || coalesce('"decade":' || decade || ',', '') || coalesce('"delta":"' || delta || '",', '')
        || '"isLate":' || late || ',"measure":"' || measure || '","size":"' || size || '"'
        || coalesce(',"squares":"' || squares || '"', '') || ',"times":' || times || '}';
      RETURN '[' || array_to_string(ARRAY(
          SELECT CASE WHEN place = at THEN sum_text ELSE value::text END
            FROM json_array_elements(sums) WITH ORDINALITY AS all_sums (value, place) ORDER BY place)
        || CASE WHEN known IS NULL THEN ARRAY[sum_text] ELSE '{}' END, ',') || ']';
    END`,
  },
  /** A group of charges, as text. */
  group_text: {
    parameters:
      "loss text, settled text, reservation text, period text, times bigint, late boolean, is_folded boolean",
    returns: "text",
    language: "sql",
    body: `
    SELECT '{' || CASE WHEN is_folded THEN '"isFolded":true,' ELSE '' END || '"isLate":' || late || ',"loss":' || loss
      || coalesce(',"period":"' || period || '"', '') || coalesce(',"reservation":"' || reservation || '"', '')
      || coalesce(',"settled":' || settled, '')
      || ',"times":' || times || '}'`,
  },
  /** A summary, as text; each part is text, or null if it isn't there. */
  summary_text: {
    parameters:
      "budget text, budget_sequence text, charges text, folded text, last text, neighbours text, promise text, releases bigint, units text",
    returns: "text",
    language: "sql",
    body: `
    SELECT '{' || coalesce('"budget":' || budget || ',', '') || coalesce('"budgetSequence":' || budget_sequence || ',', '')
      || '"charges":' || charges || coalesce(',"folded":' || folded, '') || coalesce(',"last":' || last, '')
      || coalesce(',"neighbours":"' || neighbours || '"', '') || coalesce(',"promise":' || promise, '') || ',"releases":' || releases || ',"units":' || units || '}'`,
  },
  /** The summary of an account after its budget was set; of a share in it, which keeps none, with `is_share`. */
  with_budget: {
    parameters: "summary json, entry json, is_share boolean",
    returns: "text",
    language: "sql",
    body: `
    SELECT ${SCHEMA}.summary_text(
      CASE WHEN is_share THEN ${SCHEMA}.unparsed(summary -> 'budget') ELSE ${SCHEMA}.unparsed(entry -> 'budget') END,
      CASE WHEN NOT is_share AND EXISTS (SELECT FROM json_array_elements(summary -> 'charges') AS charge
          WHERE charge -> 'reservation' IS NOT NULL)
        THEN entry ->> 'sequence' ELSE summary ->> 'budgetSequence' END,
      '[' || array_to_string(ARRAY(
        SELECT ${SCHEMA}.group_text(value ->> 'loss', NULL, value ->> 'reservation', value ->> 'period', (value ->> 'times')::bigint,
            (value ->> 'isLate')::boolean, value -> 'isFolded' IS NOT NULL)
          FROM json_array_elements(summary -> 'charges') WITH ORDINALITY AS charges (value, place) ORDER BY place), ',') || ']',
      '{"promised":' || (summary #>> '{folded,promised}') || '}',
      summary ->> 'last', summary ->> 'neighbours',
      coalesce(CASE WHEN NOT is_share THEN ${SCHEMA}.unparsed(entry -> 'promise') END, ${SCHEMA}.unparsed(summary -> 'promise')),
      (summary ->> 'releases')::bigint, ${SCHEMA}.unparsed(summary -> 'units'))`,
  },
  /** The summary after a release or a reservation. */
  with_charge: {
    parameters: "summary json, document json, is_release boolean",
    returns: "text",
    language: "plpgsql",
    body: `
    DECLARE
      loss text := ${SCHEMA}.exact_loss(document -> 'loss');
      settled text := CASE WHEN is_release AND document -> 'charge' IS NOT NULL
        THEN ${SCHEMA}.exact_loss(document #> '{charge,settled}') END;
      last text := CASE WHEN NOT is_release THEN summary ->> 'last' WHEN settled IS NULL THEN loss
        ELSE ${SCHEMA}.exact_loss(document #> '{charge,reserved}') END;
      unit text := CASE json_typeof(document #> '{question,unit}') WHEN 'string' THEN document #>> '{question,unit}' END;
      neighbours text := coalesce(summary ->> 'neighbours', CASE json_typeof(document #> '{question,neighbours}')
        WHEN 'string' THEN document #>> '{question,neighbours}' END);
      units text[] := ARRAY(SELECT json_array_elements_text(summary -> 'units'));
      groups json[] := ARRAY(SELECT value FROM json_array_elements(summary -> 'charges')
        WITH ORDINALITY AS charges (value, place) ORDER BY place);
      texts text[];
      promised text := summary #>> '{folded,promised}';
      counted text := summary #>> '{folded,counted}';
      reserved json;
      late boolean;
      same bigint;
      is_full boolean;
      period text := CASE json_typeof(document #> '{question,period,name}') WHEN 'string' THEN document #>> '{question,period,name}'
        || CASE json_typeof(document #> '{question,period,key}') WHEN 'string' THEN ' ' || (document #>> '{question,period,key}') ELSE '' END END;
    BEGIN
      IF unit IS NOT NULL AND NOT unit = ANY (units) AND cardinality(units) < ${MOST_UNITS} THEN units := units || unit; END IF;
      IF is_release THEN
        SELECT value INTO reserved FROM unnest(groups) AS charges (value) WHERE value ->> 'reservation' = document ->> 'id';
        groups := ARRAY(SELECT value FROM unnest(groups) WITH ORDINALITY AS charges (value, place)
          WHERE (value ->> 'reservation') IS DISTINCT FROM (document ->> 'id') ORDER BY place);
      END IF;
      late := coalesce((reserved ->> 'isLate')::boolean, coalesce(settled, loss)::json ->> 'measure' = 'zcdp'
        OR EXISTS (SELECT FROM unnest(groups) AS charge WHERE (charge ->> 'isLate')::boolean)
        OR EXISTS (SELECT FROM json_array_elements(promised::json) AS charge WHERE (charge ->> 'isLate')::boolean));
      IF is_release THEN
        SELECT min(place) INTO same FROM unnest(groups) WITH ORDINALITY AS charges (value, place)
          WHERE value -> 'reservation' IS NULL AND (value ->> 'isLate')::boolean = late AND value ->> 'loss' = loss
            AND (value ->> 'settled') IS NOT DISTINCT FROM settled AND (value ->> 'period') IS NOT DISTINCT FROM period;
      END IF;
      is_full := period IS NULL AND (SELECT count(*) FROM unnest(groups) AS charge
        WHERE charge -> 'isFolded' IS NULL AND charge -> 'period' IS NULL) >= ${MOST_GROUPS};
      texts := ARRAY(SELECT CASE WHEN place = same
          THEN ${SCHEMA}.group_text(loss, settled, NULL, period, (value ->> 'times')::bigint + 1, late, false)
          ELSE ${SCHEMA}.unparsed(value) END
        FROM unnest(groups) WITH ORDINALITY AS charges (value, place) ORDER BY place);
      IF same IS NULL AND is_full AND is_release THEN
        IF settled IS NOT NULL OR counted IS NOT NULL
        THEN counted := ${SCHEMA}.folded(coalesce(counted, promised, '[]')::json, coalesce(settled, loss)::json, late);
        END IF;
        promised := ${SCHEMA}.folded(coalesce(promised, '[]')::json, loss::json, late);
      ELSIF same IS NULL THEN
        texts := texts || ${SCHEMA}.group_text(loss, settled, CASE WHEN NOT is_release THEN document ->> 'id' END, period, 1,
          late, is_full);
      END IF;
      RETURN ${SCHEMA}.summary_text(${SCHEMA}.unparsed(summary -> 'budget'), summary ->> 'budgetSequence',
        '[' || array_to_string(texts, ',') || ']',
        '{' || coalesce('"counted":' || counted || ',', '') || '"promised":' || promised || '}',
        last, neighbours, ${SCHEMA}.unparsed(summary -> 'promise'), (summary ->> 'releases')::bigint + is_release::integer,
        '[' || array_to_string(ARRAY(SELECT '"' || name || '"' FROM unnest(units) WITH ORDINALITY AS names (name, place)
          ORDER BY place), ',') || ']');
    END`,
  },
  /** The keys of the account of an entry and of the shares that it changes; `fresh` are those that aren't stored yet. */
  keys_of: {
    parameters: "entry json, fresh text[]",
    returns: "SETOF text",
    language: "plpgsql",
    body: `
    DECLARE
      document json := CASE entry ->> 'kind' WHEN 'release' THEN entry -> 'release' ELSE entry END;
      own text := '"' || (document ->> 'dataset') || '"';
      share text := '["' || (document ->> 'dataset') || '","' || (document ->> 'analyst') || '"]';
    BEGIN
      IF entry ->> 'kind' = 'key' THEN RETURN; END IF;
      RETURN NEXT own;
      IF entry ->> 'kind' = 'budget' THEN
        RETURN QUERY SELECT dataset FROM ${SCHEMA}.accounts WHERE starts_with(dataset, '[' || own || ',')
          UNION SELECT key FROM unnest(fresh) AS key WHERE starts_with(key, '[' || own || ',');
      ELSIF share IS NOT NULL THEN RETURN NEXT share;
      END IF;
    END`,
  },
  /** The summary of an account or share after an entry that changes it; `known` is null for a new one. */
  summary_after: {
    parameters: "known text, entry json, is_share boolean",
    returns: "text",
    language: "plpgsql",
    body: `
    DECLARE
      summary json := ${SCHEMA}.parsed(coalesce(known, '{"charges":[],"releases":0,"units":[]}'));
    BEGIN
      RETURN CASE entry ->> 'kind' WHEN 'budget' THEN ${SCHEMA}.with_budget(summary, entry, is_share)
        WHEN 'release' THEN ${SCHEMA}.with_charge(summary, entry -> 'release', true)
        ELSE ${SCHEMA}.with_charge(summary, entry, false) END;
    END`,
  },
  /** Stores the names that an entry is found by; refuses a taken id, and a release with other parameters than were reserved. */
  keep_places: {
    parameters: "entry json",
    returns: "void",
    language: "plpgsql",
    isWriting: true,
    body: `
    DECLARE
      kind text := entry ->> 'kind';
      document json := CASE kind WHEN 'release' THEN entry -> 'release' ELSE entry END;
      release text := '"' || (document ->> 'id') || '"';
      reservation text := '"' || chr(92) || 'u0000' || (document ->> 'id') || '"';
      reserved json := (SELECT ${SCHEMA}.parsed(text) FROM ${SCHEMA}.log
        WHERE sequence = (SELECT places.sequence FROM ${SCHEMA}.releases AS places WHERE id = reservation));
    BEGIN
      IF kind = 'release' AND reserved IS NOT NULL AND ARRAY[reserved ->> 'dataset', reserved ->> 'analyst', reserved ->> 'question']
        IS DISTINCT FROM ARRAY[document ->> 'dataset', document ->> 'analyst', document ->> 'question']
      OR kind = 'reservation' AND EXISTS (SELECT FROM ${SCHEMA}.releases WHERE id = release)
      THEN RAISE EXCEPTION 'the id is taken' USING ERRCODE = '${STATES.doesNotFollow}';
      END IF;
      INSERT INTO ${SCHEMA}.releases (id, sequence)
        SELECT key, (entry ->> 'sequence')::bigint FROM unnest(CASE kind WHEN 'budget' THEN '{}' WHEN 'reservation' THEN ARRAY[reservation]
          WHEN 'key' THEN ARRAY['"' || chr(92) || 'u0001' || lpad(entry ->> 'sequence', 16, '0') || '"']
          ELSE ARRAY[release, '["' || (document ->> 'analyst') || '","' || lpad(entry ->> 'sequence', 16, '0') || '"]'] END) AS key
        WHERE key IS NOT NULL;
    END`,
  },
};
