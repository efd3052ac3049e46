import { type Static, Type } from '@agent-service/sdk'

const seconds = (value: number, minimum: number, description: string) =>
  Type.Integer({ default: value, minimum, 'x-unit': 'seconds', description })

/** A time that decides nothing but the pace of the service. */
const pace = (value: number, minimum: number, description: string) =>
  Type.Integer({ default: value, minimum, 'x-unit': 'seconds', 'x-harmless': true, description })

const days = (value: number, description: string) => Type.Integer({ default: value, minimum: 1, 'x-unit': 'days', description })

/** An optional address of the deployment. */
const url = (description: string) => Type.Optional(Type.String({ format: 'http-url', description }))

/** A folder; its default depends on the deployment. */
const folder = (defaultPath: string, description: string) =>
  Type.String({
    'x-path': true,
    'x-default-path': defaultPath,
    minLength: 1,
    description,
  })

/** A list of names, empty by default. */
const names = (description: string) => Type.Array(Type.String({ minLength: 1 }), { default: [], uniqueItems: true, description })

/** Section `server`: the HTTP listener, public addresses, limits. */
const serverSection = Type.Object(
  {
    host: Type.String({
      default: '127.0.0.1',
      format: 'host',
      minLength: 1,
      description: 'Address to listen on. 0.0.0.0 listens on every IPv4 address, :: on every address.',
    }),
    port: Type.Integer({ default: 3001, minimum: 0, maximum: 65535, description: 'HTTP listen port. 0 takes any free port.' }),
    base_url: url('Public base URL for callbacks and links.'),
    backend_url: url('Public URL of the HTTP API. Takes precedence over base_url, also for single sign-on callbacks.'),
    frontend_url: url(
      'Public URL of the web pages. Takes precedence over base_url for links to pages. Leave it and backend_url unset when both share one origin.',
    ),
    external_url: url('Externally reachable URL for inbound webhooks and share links. Falls back to backend_url, then base_url.'),
    static_dir: Type.String({
      default: '/app/static',
      minLength: 1,
      'x-path': true,
      description: 'Directory of the static files of the web pages. Used when it exists.',
    }),
    issuer_url: url(
      'Issuer (`iss`) of access tokens. Falls back to backend_url, then base_url. A change invalidates the access tokens issued before.',
    ),
    max_concurrent_tasks: Type.Integer({
      default: 10,
      minimum: 1,
      description: 'Maximum number of background tasks at work at the same time, over all agents.',
    }),
    sse_pending_events_secs: pace(60, 0, 'How long the events of a user are kept after their last stream ended. 0 keeps none.'),
    cors_origins: Type.Optional(
      Type.String({
        format: 'origin-list',
        description:
          'Exact origins that may call the API from a browser, comma-separated: `https://chat.example`, or that of an app or an extension, such as `app://obsidian.md`. `*` is refused.',
      }),
    ),
    trusted_proxies: Type.Optional(
      Type.String({
        format: 'network-list',
        description: 'Addresses and networks of reverse proxies whose X-Forwarded-For is trusted, comma-separated. Empty trusts none.',
      }),
    ),
    max_body_size_bytes: Type.Integer({
      default: 104_857_600,
      minimum: 1,
      'x-unit': 'bytes',
      description: 'Maximum size of a request body. Routes may set lower limits.',
    }),
    keep_alive_timeout_secs: Type.Integer({
      default: 125,
      minimum: 1,
      maximum: 3600,
      'x-unit': 'seconds',
      'x-harmless': true,
      description:
        'How long a connection may wait for its next request. Set it above the idle limit of the proxy or load balancer in front, or some requests fail there with 502.',
    }),
    shutdown_timeout_secs: pace(60, 0, 'How long work under way may take to end when the service stops.'),
    timezone: Type.Optional(
      Type.String({
        format: 'time-zone',
        'x-harmless': true,
        'x-default-text': 'auto-detect',
        description:
          'Time zone (IANA) for schedules, reminders and prompts when neither the task nor the user has one. Unset: detected from TZ, then the system, then UTC.',
      }),
    ),
    log_level: Type.Union([Type.Literal('debug'), Type.Literal('info'), Type.Literal('warn'), Type.Literal('error')], {
      default: 'info',
      'x-harmless': true,
      description: 'The lowest level that is logged.',
    }),
  },
  { title: 'Server', description: 'The HTTP listener, its public addresses and its limits.' },
)

export type ServerSection = Static<typeof serverSection>

/**
 * The secret in effect while none is set: only for development on one machine, since everyone can
 * read it here.
 */
export const developmentEncryptionSecret = 'agent-service-development-encryption-secret'

/** Section `auth`: the encryption secret, lifetimes of tokens, registration. */
const authSection = Type.Object(
  {
    encryption_secret: Type.String({
      default: developmentEncryptionSecret,
      minLength: 1,
      'x-secret': true,
      'x-default-text': 'a built-in development value',
      description:
        'Secret that encrypts every stored secret. Set it to a random value in production and back it up together with the database.',
    }),
    access_token_expiry_secs: seconds(900, 1, 'Lifetime of an access token.'),
    refresh_token_expiry_secs: seconds(604_800, 1, 'Lifetime of a refresh token. It slides with each use.'),
    presign_expiry_secs: seconds(86_400, 1, 'Maximum lifetime of a pre-signed URL.'),
    ephemeral_token_expiry_secs: seconds(
      300,
      1,
      'Lifetime of the tokens for processes that act for users. They are renewed while the process runs.',
    ),
    allow_registration: Type.Boolean({
      default: true,
      'x-written': true,
      description:
        'Whether anyone may sign up. With false, only admins create accounts and invite people. While neither the file nor the environment says it, people may ask for an account, and an admin approves.',
    }),
    registration_approval: Type.Boolean({
      default: false,
      description: 'Whether an account of a person who signs up waits until an admin approves it. Only with allow_registration.',
    }),
    signing_key_rotation_days: days(90, 'Age at which the key that signs access tokens is replaced.'),
    data_key_rotation_days: days(90, 'Age at which the key that encrypts stored secrets is replaced.'),
  },
  { title: 'Accounts', description: 'The encryption secret, lifetimes of tokens, registration.' },
)

export type AuthSection = Static<typeof authSection>

/** Section `database`: the store and its location. */
const databaseSection = Type.Object(
  {
    driver: Type.Union([Type.Literal('sqlite'), Type.Literal('lowdb')], {
      default: 'sqlite',
      'x-planned': {
        postgres: 'is not supported in this version: no plugin connects to a database server yet. Use “sqlite” or “lowdb”',
      },
      description: 'The store: sqlite (embedded) or lowdb (readable JSON files, small deployments).',
    }),
    path: folder('{server_data_dir}/db', 'Directory of the database.'),
    url: Type.Optional(
      Type.String({
        'x-secret': true,
        'x-no-effect': 'This version has no driver for a database server.',
        description: 'Connection URL of the database server.',
      }),
    ),
  },
  { title: 'Database', description: 'The store and its location.' },
)

/** Section `storage`: folders of files. Setting `data_dir` does not move the others. */
const storageSection = Type.Object(
  {
    data_dir: folder('{server_data_dir}', 'Root data directory. Files of users are under users/{user_handle}/.'),
    shared_config_dir: folder('{installed_resources}', 'Shared prompts, agents and policies. Read, never written.'),
    skills_dir: folder('{server_data_dir}/skills', 'Installed shared skills.'),
    cache_dir: folder(
      '{server_data_dir}/system/cache',
      'System caches, such as the refreshed catalogue of models. May be emptied at any time.',
    ),
    max_bytes_per_user: Type.Optional(
      Type.Integer({
        minimum: 1,
        'x-unit': 'bytes',
        'x-default-text': 'unlimited',
        description: 'Maximum size of all files of one user. A write beyond it is refused.',
      }),
    ),
    ontology_dir: folder('{server_data_dir}/ontology', 'Ontologies of this deployment, loaded with the bundled ones.'),
  },
  { title: 'Storage', description: 'Folders of files.' },
)

/** Section `cache`: the entity cache in front of the database. */
const cacheSection = Type.Object(
  {
    entity_ttl_secs: pace(300, 0, 'How long a cached entity lives. 0 caches nothing.'),
    entity_max_capacity: Type.Integer({
      default: 1000,
      minimum: 0,
      'x-harmless': true,
      description: 'Maximum number of cached entities. 0 caches nothing.',
    }),
  },
  { title: 'Cache', description: 'The entity cache in front of the database.' },
)

export type DatabaseSection = Static<typeof databaseSection>
export type StorageSection = Static<typeof storageSection>
export type CacheSection = Static<typeof cacheSection>

/**
 * Section `plugins`: the sources of third-party plugins, required and disabled plugins, and their
 * settings.
 */
const pluginsSection = Type.Object(
  {
    sources: names('Plugins besides the built-in ones: names of installed npm packages, or absolute folders.'),
    required: names('Ids of plugins whose failure stops the start.'),
    disabled: names('Ids of plugins that do not run. Takes precedence over the switch in the web console.'),
    settings: Type.Record(Type.String(), Type.Unknown(), {
      default: {},
      description: 'Settings of plugins by id, each checked by its own schema.',
    }),
  },
  { title: 'Plugins', description: 'The sources of plugins, required and disabled plugins, and their settings.' },
)

/** Section `scheduler`: recurring work. */
const schedulerSection = Type.Object(
  { poll_secs: pace(60, 1, 'How often the scheduler checks for due tasks.') },
  { title: 'Scheduler', description: 'Recurring work.' },
)

export type PluginsSection = Static<typeof pluginsSection>
export type SchedulerSection = Static<typeof schedulerSection>

/** The sections of the kernel by name. */
export const kernelSections = Object.freeze({
  server: serverSection,
  auth: authSection,
  database: databaseSection,
  storage: storageSection,
  cache: cacheSection,
  scheduler: schedulerSection,
  plugins: pluginsSection,
})
