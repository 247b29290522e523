
  CREATE SCHEMA winnow_ledger;
  CREATE TABLE winnow_ledger.log (sequence bigint PRIMARY KEY CHECK (sequence >= 1), hash text NOT NULL, text text NOT NULL);
  CREATE TABLE winnow_ledger.head (only_row boolean PRIMARY KEY CHECK (only_row), sequence bigint NOT NULL, hash text NOT NULL);
  CREATE TABLE winnow_ledger.accounts (
    dataset text COLLATE "C" PRIMARY KEY, place bigint NOT NULL UNIQUE, summary text NOT NULL);
  CREATE TABLE winnow_ledger.releases (id text COLLATE "C" PRIMARY KEY, sequence bigint NOT NULL);
  CREATE TABLE winnow_ledger.summarised (
    only_row boolean PRIMARY KEY CHECK (only_row), sequence bigint NOT NULL, hash text NOT NULL);
  CREATE TABLE winnow_ledger.sources (mark text COLLATE "C", dataset text COLLATE "C", PRIMARY KEY (mark, dataset));
  CREATE TABLE winnow_ledger.secret (only_row boolean PRIMARY KEY CHECK (only_row), key text NOT NULL);
  INSERT INTO winnow_ledger.head VALUES (true, 0, '0000000000000000000000000000000000000000000000000000000000000000');
  INSERT INTO winnow_ledger.summarised VALUES (true, 0, '0000000000000000000000000000000000000000000000000000000000000000');
  CREATE FUNCTION winnow_ledger.marked(line text) RETURNS text LANGUAGE sql STABLE AS $body$
    SELECT replace(replace(replace(line, repeat(chr(92), 2), chr(1)), chr(92) || '"', chr(2)), chr(92), chr(3))$body$;
CREATE FUNCTION winnow_ledger.parsed(line text) RETURNS json LANGUAGE sql STABLE AS $body$
    SELECT replace(replace(replace(winnow_ledger.marked(line), chr(1), repeat(chr(92), 4)),
      chr(2), repeat(chr(92), 3) || '"'), chr(3), repeat(chr(92), 2))::json$body$;
CREATE FUNCTION winnow_ledger.unparsed(part json) RETURNS text LANGUAGE sql STABLE AS $body$
    SELECT replace(replace(replace(replace(replace(replace(part::text, repeat(chr(92), 4), chr(1)),
      repeat(chr(92), 3) || '"', chr(2)), repeat(chr(92), 2), chr(3)), chr(1), repeat(chr(92), 2)), chr(2), chr(92) || '"'), chr(3), chr(92))$body$;
CREATE FUNCTION winnow_ledger.is_number(token text) RETURNS boolean LANGUAGE sql STABLE AS $body$
    SELECT CASE WHEN length(token) > 30 OR token = '-0' THEN false
      WHEN token ~ '^-?(0|[1-9][0-9]*)([.][0-9]*[1-9])?$'
      THEN token::numeric = token::float8::text::numeric
        AND (token = '0' OR abs(token::numeric) >= 1e-6 AND abs(token::numeric) < 1e21)
      WHEN token ~ '^-?[1-9]([.][0-9]*[1-9])?e[+-][1-9][0-9]?[0-9]?$'
      THEN token::numeric = token::float8::text::numeric
        AND (abs(token::numeric) < 1e-6 OR abs(token::numeric) >= 1e21)
      ELSE false END$body$;
CREATE FUNCTION winnow_ledger.is_canonical(line text, entry json) RETURNS boolean LANGUAGE plpgsql STABLE AS $body$
    DECLARE
      escaped text := winnow_ledger.marked(line);
      outside text := regexp_replace(escaped, '"[^"]*"', '"', 'g');
    BEGIN
      RETURN strpos(outside, ' ') = 0
        AND strpos(regexp_replace(escaped,
          chr(3) || '([bfnrt]|u00(0[0-7bef]|1[0-9a-f])|ud[89a-f][0-9a-f]{2})', '', 'g'), chr(3)) = 0
        AND escaped !~ (chr(3) || 'ud[89ab][0-9a-f]{2}' || chr(3) || 'ud[c-f]')
        AND NOT EXISTS (SELECT FROM regexp_matches(outside, '-?[0-9][0-9.eE+-]*', 'g') AS token
          WHERE NOT winnow_ledger.is_number(token[1]))
        AND NOT EXISTS (
          WITH RECURSIVE parts (part) AS (
            SELECT entry
            UNION ALL
            SELECT inner_part FROM parts, LATERAL (
              SELECT value FROM json_each(CASE json_typeof(part) WHEN 'object' THEN part END)
              UNION ALL
              SELECT value FROM json_array_elements(CASE json_typeof(part) WHEN 'array' THEN part END)
            ) AS inner_parts (inner_part)
            WHERE json_typeof(inner_part) IN ('object', 'array'))
          SELECT FROM parts, LATERAL (
            SELECT key, lag(key) OVER (ORDER BY place) AS before
              FROM json_each(CASE json_typeof(part) WHEN 'object' THEN part END) WITH ORDINALITY AS fields (key, value, place)
          ) AS pairs WHERE before COLLATE "C" >= key COLLATE "C");
    END$body$;
CREATE FUNCTION winnow_ledger.has_fields(part json, type text, names text[]) RETURNS boolean LANGUAGE plpgsql STABLE AS $body$
    DECLARE
      name text;
    BEGIN
      IF json_typeof(part) IS DISTINCT FROM 'object' THEN RETURN false; END IF;
      FOREACH name IN ARRAY names LOOP
        IF json_typeof(part -> name) IS DISTINCT FROM type THEN RETURN false; END IF;
      END LOOP;
      RETURN true;
    END$body$;
CREATE FUNCTION winnow_ledger.is_name(name text, longest integer) RETURNS boolean LANGUAGE plpgsql STABLE AS $body$
    DECLARE
      decoded text := replace(replace(winnow_ledger.marked(name), chr(1), '#'), chr(2), '"');
    BEGIN
      RETURN decoded <> ''
        AND length(decoded) + length(regexp_replace(decoded, '[^' || chr(65536) || '-' || chr(1114111) || ']', '', 'g')) <= longest
        AND decoded !~ ('[' || chr(1) || '-' || chr(31) || chr(127) || '-' || chr(159) || chr(173) || '-' || chr(173) || chr(1536) || '-' || chr(1541) || chr(1564) || '-' || chr(1564) || chr(1757) || '-' || chr(1757) || chr(1807) || '-' || chr(1807) || chr(2192) || '-' || chr(2193) || chr(2274) || '-' || chr(2274) || chr(6158) || '-' || chr(6158) || chr(8203) || '-' || chr(8207) || chr(8234) || '-' || chr(8238) || chr(8288) || '-' || chr(8303) || chr(57344) || '-' || chr(63743) || chr(64976) || '-' || chr(65007) || chr(65279) || '-' || chr(65279) || chr(65520) || '-' || chr(65531) || chr(65534) || '-' || chr(65535) || chr(917504) || '-' || chr(917759) || chr(918000) || '-' || chr(1114111) || ']')
        AND decoded !~ ('^' || '[' || chr(32) || '-' || chr(32) || chr(160) || '-' || chr(160) || chr(5760) || '-' || chr(5760) || chr(8192) || '-' || chr(8202) || chr(8232) || '-' || chr(8233) || chr(8239) || '-' || chr(8239) || chr(8287) || '-' || chr(8287) || chr(12288) || '-' || chr(12288) || ']') AND decoded !~ ('[' || chr(32) || '-' || chr(32) || chr(160) || '-' || chr(160) || chr(5760) || '-' || chr(5760) || chr(8192) || '-' || chr(8202) || chr(8232) || '-' || chr(8233) || chr(8239) || '-' || chr(8239) || chr(8287) || '-' || chr(8287) || chr(12288) || '-' || chr(12288) || ']' || '$');
    END$body$;
CREATE FUNCTION winnow_ledger.fraction(value text) RETURNS numeric[] LANGUAGE plpgsql STABLE AS $body$
    DECLARE
      parts text[] := regexp_match(value, '^[+]?([0-9]*)(?:/([0-9]+)|(?:[.]([0-9]*))?(?:[eE]([+-]?[0-9]{1,6}))?)$');
      digits text := parts[1] || coalesce(parts[3], '');
      below numeric := coalesce(parts[2], '1')::numeric;
      shift integer := coalesce(parts[4], '0')::integer - length(coalesce(parts[3], ''));
    BEGIN
      IF parts IS NULL OR length(value) > 10000 OR digits = '' OR below = 0 OR abs(coalesce(parts[4], '0')::integer) > 10000
      THEN RETURN NULL;
      END IF;
      RETURN ARRAY[digits::numeric * ('1' || repeat('0', greatest(shift, 0)))::numeric,
        below * ('1' || repeat('0', greatest(-shift, 0)))::numeric];
    END$body$;
CREATE FUNCTION winnow_ledger.size_field(measure text) RETURNS text LANGUAGE sql STABLE AS $body$
    SELECT CASE measure WHEN 'pure' THEN 'epsilon' WHEN 'approx' THEN 'epsilon' WHEN 'base2' THEN 'eta' WHEN 'zcdp' THEN 'rho' END$body$;
CREATE FUNCTION winnow_ledger.exact_loss(loss json) RETURNS text LANGUAGE plpgsql STABLE AS $body$
    DECLARE
      size text := loss ->> winnow_ledger.size_field(loss ->> 'measure');
      delta numeric[] := winnow_ledger.fraction(coalesce(loss ->> 'delta', '0'));
      fields text[] := ARRAY(SELECT json_object_keys(loss));
      known text[] := ARRAY['measure', 'readable', winnow_ledger.size_field(loss ->> 'measure')]
        || CASE WHEN loss ->> 'measure' IN ('zcdp', 'approx') THEN ARRAY['delta'] ELSE '{}' END;
    BEGIN
      IF NOT winnow_ledger.has_fields(loss, 'string', fields) OR NOT fields <@ known
        OR (size = 'Infinity' OR winnow_ledger.fraction(size) IS NOT NULL) IS NOT TRUE
        OR (loss ->> 'measure' = 'approx' AND loss -> 'delta' IS NULL)
        OR (delta[1] <= delta[2]) IS NOT TRUE
      THEN RAISE EXCEPTION 'a loss that cannot be read' USING ERRCODE = 'WL001';
      END IF;
      RETURN '{' || (SELECT string_agg('"' || key || '":' || value::text, ',' ORDER BY place)
        FROM json_each(loss) WITH ORDINALITY AS exact (key, value, place) WHERE key <> 'readable') || '}';
    END$body$;
CREATE FUNCTION winnow_ledger.entry_in(line text) RETURNS json LANGUAGE plpgsql STABLE AS $body$
    DECLARE
      entry json;
      document json;
    BEGIN
      IF line ~ ('[' || chr(1) || '-' || chr(31) || ']') THEN RAISE EXCEPTION 'not canonical' USING ERRCODE = 'WL001'; END IF;
      entry := winnow_ledger.parsed(line);
      IF NOT winnow_ledger.is_canonical(line, entry) THEN RAISE EXCEPTION 'not canonical' USING ERRCODE = 'WL001'; END IF;
      document := CASE entry ->> 'kind' WHEN 'release' THEN entry -> 'release' WHEN 'reservation' THEN entry
        WHEN 'budget' THEN entry END;
      IF NOT winnow_ledger.has_fields(entry, 'string', ARRAY['format', 'kind', 'previous'])
        OR NOT winnow_ledger.has_fields(entry, 'number', ARRAY['sequence'])
        OR entry ->> 'format' <> 'winnow-ledger/1'
        OR NOT winnow_ledger.has_fields(document, 'string', ARRAY['dataset', 'time'])
        OR NOT winnow_ledger.has_fields(document, 'object', ARRAY['software',
          CASE entry ->> 'kind' WHEN 'budget' THEN 'budget' ELSE 'loss' END])
      THEN RAISE EXCEPTION 'not an entry' USING ERRCODE = 'WL001';
      END IF;
      IF entry ->> 'kind' <> 'budget' AND (NOT winnow_ledger.has_fields(document, 'string', ARRAY['id'])
        OR NOT winnow_ledger.is_name(document ->> 'id', 200)
        OR document -> 'analyst' IS NOT NULL AND (json_typeof(document -> 'analyst') <> 'string'
          OR NOT winnow_ledger.is_name(document ->> 'analyst', 100))
        OR document -> 'charge' IS NOT NULL
          AND NOT winnow_ledger.has_fields(document -> 'charge', 'object', ARRAY['reserved', 'settled']))
      THEN RAISE EXCEPTION 'not a charge' USING ERRCODE = 'WL001';
      END IF;
      RETURN entry;
    EXCEPTION WHEN data_exception THEN RAISE EXCEPTION 'not JSON' USING ERRCODE = 'WL001';
    END$body$;
CREATE FUNCTION winnow_ledger.rounded_up(above numeric, below numeric) RETURNS text LANGUAGE sql STABLE AS $body$
    SELECT trim_scale(div(above * 1e100 + below - 1, below) * 1e-100)::text$body$;
CREATE FUNCTION winnow_ledger.added(one text, other text) RETURNS text LANGUAGE sql STABLE AS $body$
    SELECT CASE WHEN 'Infinity' IN (one, other) THEN 'Infinity' ELSE trim_scale(one::numeric + other::numeric)::text END$body$;
CREATE FUNCTION winnow_ledger.folded(sums json, loss json, late boolean) RETURNS text LANGUAGE plpgsql STABLE AS $body$
    DECLARE
      measure text := loss ->> 'measure';
      has_decade boolean := measure <> 'zcdp';
      size text := loss ->> winnow_ledger.size_field(measure);
      parts numeric[] := CASE WHEN size <> 'Infinity' THEN winnow_ledger.fraction(size) END;
      failure numeric[] := winnow_ledger.fraction(coalesce(loss ->> 'delta', '0'));
      delta text := CASE WHEN measure IN ('zcdp', 'approx') THEN winnow_ledger.rounded_up(failure[1], failure[2]) END;
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
        squares := coalesce(winnow_ledger.rounded_up(parts[1] * parts[1], parts[2] * parts[2]), 'Infinity');
      END IF;
      size := coalesce(winnow_ledger.rounded_up(parts[1], parts[2]), 'Infinity');
      SELECT value, place INTO known, at FROM json_array_elements(sums) WITH ORDINALITY AS all_sums (value, place)
        WHERE (value ->> 'isLate')::boolean = late AND value ->> 'measure' = measure
          AND (value ->> 'decade') IS NOT DISTINCT FROM decade::text ORDER BY place LIMIT 1;
      IF known IS NOT NULL THEN
        times := (known ->> 'times')::bigint + 1;
        size := winnow_ledger.added(known ->> 'size', size);
        squares := winnow_ledger.added(known ->> 'squares', squares);
        delta := winnow_ledger.added(known ->> 'delta', delta);
      END IF;
      sum_text := '{' || coalesce('"decade":' || decade || ',', '') || coalesce('"delta":"' || delta || '",', '')
        || '"isLate":' || late || ',"measure":"' || measure || '","size":"' || size || '"'
        || coalesce(',"squares":"' || squares || '"', '') || ',"times":' || times || '}';
      RETURN '[' || array_to_string(ARRAY(
          SELECT CASE WHEN place = at THEN sum_text ELSE value::text END
            FROM json_array_elements(sums) WITH ORDINALITY AS all_sums (value, place) ORDER BY place)
        || CASE WHEN known IS NULL THEN ARRAY[sum_text] ELSE '{}' END, ',') || ']';
    END$body$;
CREATE FUNCTION winnow_ledger.group_text(loss text, settled text, reservation text, times bigint, late boolean, is_folded boolean) RETURNS text LANGUAGE sql STABLE AS $body$
    SELECT '{' || CASE WHEN is_folded THEN '"isFolded":true,' ELSE '' END || '"isLate":' || late || ',"loss":' || loss
      || coalesce(',"reservation":"' || reservation || '"', '') || coalesce(',"settled":' || settled, '')
      || ',"times":' || times || '}'$body$;
CREATE FUNCTION winnow_ledger.summary_text(budget text, budget_sequence text, charges text, folded text, last text, neighbours text, releases bigint, units text) RETURNS text LANGUAGE sql STABLE AS $body$
    SELECT '{' || coalesce('"budget":' || budget || ',', '') || coalesce('"budgetSequence":' || budget_sequence || ',', '')
      || '"charges":' || charges || coalesce(',"folded":' || folded, '') || coalesce(',"last":' || last, '')
      || coalesce(',"neighbours":"' || neighbours || '"', '') || ',"releases":' || releases || ',"units":' || units || '}'$body$;
CREATE FUNCTION winnow_ledger.with_budget(summary json, entry json, is_share boolean) RETURNS text LANGUAGE sql STABLE AS $body$
    SELECT winnow_ledger.summary_text(
      CASE WHEN is_share THEN winnow_ledger.unparsed(summary -> 'budget') ELSE winnow_ledger.unparsed(entry -> 'budget') END,
      CASE WHEN NOT is_share AND EXISTS (SELECT FROM json_array_elements(summary -> 'charges') AS charge
          WHERE charge -> 'reservation' IS NOT NULL)
        THEN entry ->> 'sequence' ELSE summary ->> 'budgetSequence' END,
      '[' || array_to_string(ARRAY(
        SELECT winnow_ledger.group_text(value ->> 'loss', NULL, value ->> 'reservation', (value ->> 'times')::bigint,
            (value ->> 'isLate')::boolean, value -> 'isFolded' IS NOT NULL)
          FROM json_array_elements(summary -> 'charges') WITH ORDINALITY AS charges (value, place) ORDER BY place), ',') || ']',
      '{"promised":' || (summary #>> '{folded,promised}') || '}',
      summary ->> 'last', summary ->> 'neighbours', (summary ->> 'releases')::bigint, winnow_ledger.unparsed(summary -> 'units'))$body$;
CREATE FUNCTION winnow_ledger.with_charge(summary json, document json, is_release boolean) RETURNS text LANGUAGE plpgsql STABLE AS $body$
    DECLARE
      loss text := winnow_ledger.exact_loss(document -> 'loss');
      settled text := CASE WHEN is_release AND document -> 'charge' IS NOT NULL
        THEN winnow_ledger.exact_loss(document #> '{charge,settled}') END;
      last text := CASE WHEN NOT is_release THEN summary ->> 'last' WHEN settled IS NULL THEN loss
        ELSE winnow_ledger.exact_loss(document #> '{charge,reserved}') END;
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
    BEGIN
      IF unit IS NOT NULL AND NOT unit = ANY (units) AND cardinality(units) < 16 THEN units := units || unit; END IF;
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
            AND (value ->> 'settled') IS NOT DISTINCT FROM settled;
      END IF;
      is_full := (SELECT count(*) FROM unnest(groups) AS charge WHERE charge -> 'isFolded' IS NULL) >= 64;
      texts := ARRAY(SELECT CASE WHEN place = same
          THEN winnow_ledger.group_text(loss, settled, NULL, (value ->> 'times')::bigint + 1, late, false)
          ELSE winnow_ledger.unparsed(value) END
        FROM unnest(groups) WITH ORDINALITY AS charges (value, place) ORDER BY place);
      IF same IS NULL AND is_full AND is_release THEN
        IF settled IS NOT NULL OR counted IS NOT NULL
        THEN counted := winnow_ledger.folded(coalesce(counted, promised, '[]')::json, coalesce(settled, loss)::json, late);
        END IF;
        promised := winnow_ledger.folded(coalesce(promised, '[]')::json, loss::json, late);
      ELSIF same IS NULL THEN
        texts := texts || winnow_ledger.group_text(loss, settled, CASE WHEN NOT is_release THEN document ->> 'id' END, 1, late,
          is_full);
      END IF;
      RETURN winnow_ledger.summary_text(winnow_ledger.unparsed(summary -> 'budget'), summary ->> 'budgetSequence',
        '[' || array_to_string(texts, ',') || ']',
        '{' || coalesce('"counted":' || counted || ',', '') || '"promised":' || promised || '}',
        last, neighbours, (summary ->> 'releases')::bigint + is_release::integer,
        '[' || array_to_string(ARRAY(SELECT '"' || name || '"' FROM unnest(units) WITH ORDINALITY AS names (name, place)
          ORDER BY place), ',') || ']');
    END$body$;
CREATE FUNCTION winnow_ledger.keys_of(entry json, fresh text[]) RETURNS SETOF text LANGUAGE plpgsql STABLE AS $body$
    DECLARE
      document json := CASE entry ->> 'kind' WHEN 'release' THEN entry -> 'release' ELSE entry END;
      own text := '"' || (document ->> 'dataset') || '"';
      share text := '["' || (document ->> 'dataset') || '","' || (document ->> 'analyst') || '"]';
    BEGIN
      RETURN NEXT own;
      IF entry ->> 'kind' = 'budget' THEN
        RETURN QUERY SELECT dataset FROM winnow_ledger.accounts WHERE starts_with(dataset, '[' || own || ',')
          UNION SELECT key FROM unnest(fresh) AS key WHERE starts_with(key, '[' || own || ',');
      ELSIF share IS NOT NULL THEN RETURN NEXT share;
      END IF;
    END$body$;
CREATE FUNCTION winnow_ledger.summary_after(known text, entry json, is_share boolean) RETURNS text LANGUAGE plpgsql STABLE AS $body$
    DECLARE
      summary json := winnow_ledger.parsed(coalesce(known, '{"charges":[],"releases":0,"units":[]}'));
    BEGIN
      RETURN CASE entry ->> 'kind' WHEN 'budget' THEN winnow_ledger.with_budget(summary, entry, is_share)
        WHEN 'release' THEN winnow_ledger.with_charge(summary, entry -> 'release', true)
        ELSE winnow_ledger.with_charge(summary, entry, false) END;
    END$body$;
CREATE FUNCTION winnow_ledger.keep_places(entry json) RETURNS void LANGUAGE plpgsql VOLATILE AS $body$
    DECLARE
      kind text := entry ->> 'kind';
      document json := CASE kind WHEN 'release' THEN entry -> 'release' ELSE entry END;
      release text := '"' || (document ->> 'id') || '"';
      reservation text := '"' || chr(92) || 'u0000' || (document ->> 'id') || '"';
      reserved json := (SELECT winnow_ledger.parsed(text) FROM winnow_ledger.log
        WHERE sequence = (SELECT places.sequence FROM winnow_ledger.releases AS places WHERE id = reservation));
    BEGIN
      IF kind = 'release' AND reserved IS NOT NULL AND ARRAY[reserved ->> 'dataset', reserved ->> 'analyst', reserved ->> 'question']
        IS DISTINCT FROM ARRAY[document ->> 'dataset', document ->> 'analyst', document ->> 'question']
      OR kind = 'reservation' AND EXISTS (SELECT FROM winnow_ledger.releases WHERE id = release)
      THEN RAISE EXCEPTION 'the id is taken' USING ERRCODE = 'WL001';
      END IF;
      INSERT INTO winnow_ledger.releases (id, sequence)
        SELECT key, (entry ->> 'sequence')::bigint FROM unnest(CASE kind WHEN 'budget' THEN '{}' WHEN 'reservation' THEN ARRAY[reservation]
          ELSE ARRAY[release, '["' || (document ->> 'analyst') || '","' || lpad(entry ->> 'sequence', 16, '0') || '"]'] END) AS key
        WHERE key IS NOT NULL;
    END$body$;
  CREATE FUNCTION winnow_ledger.take_turn() RETURNS TABLE (sequence bigint, hash text) LANGUAGE sql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp SET extra_float_digits = 1 SET standard_conforming_strings = on AS $body$
    SELECT head.sequence, head.hash FROM winnow_ledger.head FOR UPDATE$body$;
  CREATE FUNCTION winnow_ledger.log_follows() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp SET extra_float_digits = 1 SET standard_conforming_strings = on AS $body$
    DECLARE
      last winnow_ledger.head%ROWTYPE;
      entry json;
    BEGIN
      SELECT * INTO last FROM winnow_ledger.head FOR UPDATE;
      entry := winnow_ledger.entry_in(NEW.text);
      IF NEW.sequence IS DISTINCT FROM last.sequence + 1
        OR NEW.hash IS DISTINCT FROM encode(sha256(convert_to(NEW.text, 'UTF8')), 'hex')
        OR entry ->> 'sequence' IS DISTINCT FROM NEW.sequence::text
        OR entry ->> 'previous' IS DISTINCT FROM last.hash
      THEN RAISE EXCEPTION 'the log only grows at its end' USING ERRCODE = 'WL001';
      END IF;
      IF entry ->> 'kind' = 'budget'
        AND NOT pg_has_role(session_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'USAGE')
      THEN RAISE EXCEPTION 'only the owner sets budgets' USING ERRCODE = 'WL003';
      END IF;
      UPDATE winnow_ledger.head SET sequence = NEW.sequence, hash = NEW.hash;
      RETURN NEW;
    END$body$;
  CREATE FUNCTION winnow_ledger.refuse_change() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp SET extra_float_digits = 1 SET standard_conforming_strings = on AS $body$
    BEGIN
      RAISE EXCEPTION 'the log only grows' USING ERRCODE = 'WL002';
    END$body$;
  CREATE FUNCTION winnow_ledger.head_goes_forward() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp SET extra_float_digits = 1 SET standard_conforming_strings = on AS $body$
    BEGIN
      IF NEW.sequence IS DISTINCT FROM OLD.sequence + 1
      THEN RAISE EXCEPTION 'the head only goes forward' USING ERRCODE = 'WL002';
      END IF;
      RETURN NEW;
    END$body$;
  CREATE FUNCTION winnow_ledger.append(lines text[], source text) RETURNS TABLE (account text, totals text) LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp SET extra_float_digits = 1 SET standard_conforming_strings = on AS $body$
    DECLARE
      last winnow_ledger.head%ROWTYPE;
      line text;
      entry json;
      key text;
      keys text[] := '{}';
      summaries text[] := '{}';
      at integer;
    BEGIN
      SELECT * INTO last FROM winnow_ledger.head FOR UPDATE;
      IF (SELECT (sequence, hash) IS DISTINCT FROM (last.sequence, last.hash) FROM winnow_ledger.summarised)
      THEN RAISE EXCEPTION 'the totals are behind' USING ERRCODE = 'WL004';
      END IF;
      FOREACH line IN ARRAY lines LOOP
        last.sequence := last.sequence + 1;
        last.hash := encode(sha256(convert_to(line, 'UTF8')), 'hex');
        INSERT INTO winnow_ledger.log (sequence, hash, text) VALUES (last.sequence, last.hash, line);
        entry := winnow_ledger.parsed(line);
        PERFORM winnow_ledger.keep_places(entry);
        FOR key IN SELECT winnow_ledger.keys_of(entry, keys) LOOP
          at := array_position(keys, key);
          IF at IS NULL THEN
            keys := keys || key;
            at := cardinality(keys);
            summaries[at] := (SELECT summary FROM winnow_ledger.accounts WHERE dataset = key);
          END IF;
          summaries[at] := winnow_ledger.summary_after(summaries[at], entry, starts_with(key, '['));
        END LOOP;
      END LOOP;
      INSERT INTO winnow_ledger.accounts (dataset, place, summary)
        SELECT changed, (SELECT coalesce(max(known.place), 0) FROM winnow_ledger.accounts AS known) + number, summary
          FROM unnest(keys, summaries) WITH ORDINALITY AS new (changed, summary, number) ORDER BY number
        ON CONFLICT (dataset) DO UPDATE SET summary = excluded.summary;
      IF source IS NOT NULL AND cardinality(keys) > 0
      THEN INSERT INTO winnow_ledger.sources (mark, dataset) VALUES (source, keys[1]) ON CONFLICT DO NOTHING;
      END IF;
      UPDATE winnow_ledger.summarised SET sequence = last.sequence, hash = last.hash;
      RETURN QUERY SELECT * FROM unnest(keys, summaries);
    END$body$;
  CREATE TRIGGER log_follows BEFORE INSERT ON winnow_ledger.log FOR EACH ROW EXECUTE FUNCTION winnow_ledger.log_follows();
  CREATE TRIGGER log_is_not_changed BEFORE UPDATE OR DELETE ON winnow_ledger.log
    FOR EACH ROW EXECUTE FUNCTION winnow_ledger.refuse_change();
  CREATE TRIGGER log_is_not_truncated BEFORE TRUNCATE ON winnow_ledger.log
    FOR EACH STATEMENT EXECUTE FUNCTION winnow_ledger.refuse_change();
  CREATE TRIGGER head_goes_forward BEFORE UPDATE ON winnow_ledger.head
    FOR EACH ROW EXECUTE FUNCTION winnow_ledger.head_goes_forward();
  CREATE TRIGGER head_is_not_deleted BEFORE DELETE ON winnow_ledger.head
    FOR EACH ROW EXECUTE FUNCTION winnow_ledger.refuse_change();
  CREATE TRIGGER head_is_not_truncated BEFORE TRUNCATE ON winnow_ledger.head
    FOR EACH STATEMENT EXECUTE FUNCTION winnow_ledger.refuse_change();
  REVOKE ALL ON ALL FUNCTIONS IN SCHEMA winnow_ledger FROM PUBLIC;
  COMMENT ON SCHEMA winnow_ledger IS 'Winnow ledger, version 6';
