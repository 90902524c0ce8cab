import type { Database } from './database.ts'
import { numberIn } from './columns.ts'

/** Marks the file as Parley's own: `PRLY`. */
const applicationId = 0x50_52_4c_59

const first = `
create table meta (key text primary key, value text not null) strict, without rowid;

create table conversations (
  conversation_id text primary key,
  kind text not null,
  name text not null,
  members text not null,
  workdir text not null,
  allow_write integer not null,
  settings text not null,
  created_at integer not null,
  updated_at integer not null
) strict, without rowid;
create index conversations_by_update on conversations (updated_at, conversation_id);

create table drafts (
  conversation_id text primary key references conversations on delete cascade,
  text text not null,
  at integer not null
) strict, without rowid;

create table queue (
  position integer primary key autoincrement,
  queued_id text not null unique,
  conversation_id text not null references conversations on delete cascade,
  record text not null
) strict;
create index queue_by_conversation on queue (conversation_id, position);

create table messages (
  message_id text primary key,
  conversation_id text not null references conversations on delete cascade,
  text text not null,
  at integer not null
) strict;
create index messages_by_conversation on messages (conversation_id);

create table runs (
  position integer primary key,
  run_id text not null unique,
  conversation_id text not null references conversations on delete cascade,
  message_id text not null references messages on delete cascade,
  status text not null,
  live integer not null,
  topic text,
  record text not null
) strict;
create index runs_by_conversation on runs (conversation_id, position);
create index runs_by_message on runs (message_id);
create index runs_live on runs (conversation_id) where live = 1;

create table attempts (
  position integer primary key,
  attempt_id text not null unique,
  run integer not null references runs on delete cascade,
  live integer not null,
  record text not null,
  vote text,
  no_vote text,
  capsule text,
  output_seq integer not null default 0,
  output_rows integer not null default 0,
  tool_count integer not null default 0,
  text_length integer not null default 0,
  reasoning_length integer not null default 0,
  last_output_at integer,
  usage text
) strict;
create index attempts_by_run on attempts (run, position);
create index attempts_live on attempts (position) where live = 1;

create table turn_texts (
  attempt integer primary key references attempts on delete cascade,
  text text not null
) strict;

create table live_texts (
  attempt integer not null references attempts on delete cascade,
  part integer not null,
  text text not null,
  primary key (attempt, part)
) strict;

create table outputs (
  attempt integer not null references attempts on delete cascade,
  seq integer not null,
  at integer not null,
  try integer not null,
  type text not null,
  item text not null,
  primary key (attempt, seq)
) strict, without rowid;

create table attempt_tools (
  attempt integer not null references attempts on delete cascade,
  tool_id text not null,
  primary key (attempt, tool_id)
) strict, without rowid;

create table prompts (sha256 text primary key, text text not null) strict;

create table deliveries (
  position integer primary key,
  delivery_id text not null unique,
  attempt integer not null references attempts on delete cascade,
  sha256 text not null references prompts,
  record text not null
) strict;
create index deliveries_by_attempt on deliveries (attempt, position);
create index deliveries_by_prompt on deliveries (sha256);

create table gates (
  gate_id text primary key,
  conversation_id text not null references conversations on delete cascade,
  run_id text not null,
  asker_id text not null,
  status text not null,
  asked_at integer not null,
  record text not null
) strict, without rowid;
create index gates_by_conversation on gates (conversation_id);
create index gates_by_run on gates (run_id);
create index gates_by_asker on gates (asker_id);
create index gates_unsettled on gates (conversation_id) where status in ('waiting', 'answered', 'applying');

create table sessions (
  scope text primary key,
  conversation_id text not null references conversations on delete cascade,
  record text not null
) strict, without rowid;
create index sessions_by_conversation on sessions (conversation_id);

create table launches (token text primary key, record text not null) strict, without rowid;

create table roots (
  root integer primary key,
  root_id text not null unique,
  machine text not null,
  version integer not null default 0,
  live integer not null default 0,
  snapshot text,
  failure text
) strict;
create index roots_live on roots (root) where live = 1;
create index roots_quarantined on roots (root) where failure is not null;

create table actors (
  actor_number integer primary key,
  actor text not null,
  root integer not null references roots on delete cascade,
  machine text not null,
  value text not null,
  type text not null,
  at integer not null,
  from_value text,
  unique (actor, root)
) strict;
create index actors_by_root on actors (root);

create table events (
  root integer not null references roots on delete cascade,
  seq integer not null,
  at integer not null,
  actor_number integer not null references actors on delete cascade,
  type text not null,
  cause text not null,
  value text not null,
  from_value text,
  primary key (root, seq)
) strict, without rowid;
create index events_by_actor on events (actor_number, seq);
`

const customAgents = `
create table custom_agents (agent text primary key, record text not null) strict, without rowid;
`

const providerProfiles = `
create table provider_profiles (
  profile_id text primary key,
  kind text not null,
  preset text,
  name text not null,
  base_url text not null,
  model text,
  protected_key text,
  active integer not null default 0,
  created_at integer not null
) strict, without rowid;
create unique index provider_profiles_active on provider_profiles (kind) where active = 1;
`

/** Images: each is in a draft, or with one message, queued or sent. Their bytes are files, named by their hash. */
const images = `
create table images (
  position integer primary key,
  image_id text not null unique,
  conversation_id text not null references conversations on delete cascade,
  queued_id text references queue (queued_id) on delete cascade,
  message_id text references messages on delete cascade,
  place integer not null default 0,
  sha256 text not null,
  record text not null
) strict;
create index images_by_conversation on images (conversation_id);
create index images_by_queued on images (queued_id);
create index images_by_message on images (message_id);
create index images_by_content on images (sha256);
`

/** What is done with a run's details: a run without a row is kept whole for as long as it is among the newest. */
const runDetails = `
create table run_details (
  run integer primary key references runs on delete cascade,
  pinned integer not null default 0,
  compacted integer not null default 0
) strict;
`

/** Snapshots are packed from now on; what is there stays readable until it is written again. */
const packedSnapshots = `
alter table roots add column packed blob;
`

/** Each brings the database from the version before it to its own, the first to 1. Never change one that shipped. */
export const migrations: readonly string[] = [
  first, providerProfiles, images, customAgents, runDetails, packedSnapshots,
]

export const newestVersion = migrations.length

/** How the stored version compares with ours, or that the file is not ours at all. */
export const versionStanding = (database: Database): 'foreign' | 'older' | 'current' | 'newer' => {
  if (pragma(database, 'application_id') !== applicationId) return 'foreign'
  const version = pragma(database, 'user_version')
  if (version > newestVersion) return 'newer'
  return version === newestVersion ? 'current' : 'older'
}

/** Applies every missing migration in one transaction, so that a crash leaves the old version whole. */
export const migrate = (database: Database, steps: readonly string[] = migrations) => {
  const version = pragma(database, 'user_version')
  database.transaction(() => {
    for (const step of steps.slice(version)) database.script(step)
    database.script(
      `pragma application_id = ${applicationId}; pragma user_version = ${Math.max(version, steps.length)};`,
    )
  })
}

const pragma = (database: Database, name: string) => {
  const row = database.get(`pragma ${name}`)
  return row ? numberIn(row, name) : 0
}
