
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
  CREATE FUNCTION winnow_ledger.take_turn() RETURNS TABLE (sequence bigint, hash text) LANGUAGE sql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp AS $body$
    SELECT head.sequence, head.hash FROM winnow_ledger.head FOR UPDATE$body$;
  CREATE FUNCTION winnow_ledger.log_follows() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp AS $body$
    DECLARE
      last winnow_ledger.head%ROWTYPE;
    BEGIN
      SELECT * INTO last FROM winnow_ledger.head FOR UPDATE;
      IF NEW.sequence IS DISTINCT FROM last.sequence + 1
        OR NEW.hash IS DISTINCT FROM encode(sha256(convert_to(NEW.text, 'UTF8')), 'hex')
        OR strpos(NEW.text, ',"previous":"' || last.hash || '",') = 0
      THEN RAISE EXCEPTION 'the log only grows at its end' USING ERRCODE = 'WL001';
      END IF;
      IF strpos(NEW.text, ',"kind":"budget","previous":"' || last.hash || '",') > 0
        AND NOT pg_has_role(session_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'USAGE')
      THEN RAISE EXCEPTION 'only the owner sets budgets' USING ERRCODE = 'WL003';
      END IF;
      UPDATE winnow_ledger.head SET sequence = NEW.sequence, hash = NEW.hash;
      RETURN NEW;
    END$body$;
  CREATE FUNCTION winnow_ledger.refuse_change() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp AS $body$
    BEGIN
      RAISE EXCEPTION 'the log only grows' USING ERRCODE = 'WL002';
    END$body$;
  CREATE FUNCTION winnow_ledger.head_goes_forward() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp AS $body$
    BEGIN
      IF NEW.sequence IS DISTINCT FROM OLD.sequence + 1
      THEN RAISE EXCEPTION 'the head only goes forward' USING ERRCODE = 'WL002';
      END IF;
      RETURN NEW;
    END$body$;
  CREATE FUNCTION winnow_ledger.append(new_sequence bigint, new_hash text, new_text text, of_accounts text[], new_summaries text[], new_keys text[], new_mark text) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, pg_temp AS $body$
    BEGIN
      INSERT INTO winnow_ledger.log (sequence, hash, text) VALUES (new_sequence, new_hash, new_text);
      FOR i IN 1 .. cardinality(of_accounts) LOOP
        INSERT INTO winnow_ledger.accounts AS known (dataset, place, summary)
          VALUES (of_accounts[i], (SELECT coalesce(max(place), 0) + 1 FROM winnow_ledger.accounts), new_summaries[i])
          ON CONFLICT (dataset) DO UPDATE SET summary = excluded.summary;
      END LOOP;
      INSERT INTO winnow_ledger.releases (id, sequence) SELECT key, new_sequence FROM unnest(new_keys) AS key;
      IF new_mark IS NOT NULL
      THEN INSERT INTO winnow_ledger.sources (mark, dataset) VALUES (new_mark, of_accounts[1]) ON CONFLICT DO NOTHING;
      END IF;
      UPDATE winnow_ledger.summarised SET sequence = new_sequence, hash = new_hash;
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
