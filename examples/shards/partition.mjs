/**
 * Which shard a candidate belongs to, and the public list of candidates: what everybody who writes or reads the data set
 * agrees on. The rule of shards is that each candidate is pushed once, with its final score. A partition by the candidate
 * itself keeps it: all rows of an item are in one shard, so its count there is its count.
 */
export const SHARDS = 4;
export const PAGES = 2000;

/** SQL for the shard of an item. */
export const SHARD_OF = `(md5_number_lower(item) % ${SHARDS})::INTEGER`;

/** SQL for the public list of candidates: every page of the site, visited or not. */
export const LISTED = `(SELECT 'page ' || number AS item FROM range(${PAGES}) AS numbers (number))`;
