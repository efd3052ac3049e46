import { type Static, Type } from '@agent-service/sdk'
import { seconds, url } from './fields.js'

/** Section `server`: the HTTP listener, public addresses, limits. */
export const serverSection = Type.Object(
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
      'x-no-effect': 'Background tasks of agents are not part of this version.',
      description: 'Maximum number of background tasks that run at the same time, over all agents.',
    }),
    sse_pending_events_secs: seconds(60, 0, 'How long the events of a user are kept after their last stream ended. 0 keeps none.'),
    cors_origins: Type.Optional(
      Type.String({
        format: 'origin-list',
        description: 'Exact origins that may call the API from a browser, comma-separated. `*` is refused.',
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
    shutdown_timeout_secs: seconds(60, 0, 'How long work under way may take to end when the service stops.'),
    timezone: Type.Optional(
      Type.String({
        format: 'time-zone',
        'x-default-text': 'auto-detect',
        description:
          'Time zone (IANA) for schedules, reminders and prompts when neither the task nor the user has one. Unset: detected from TZ, then the system, then UTC.',
      }),
    ),
    log_level: Type.Union([Type.Literal('debug'), Type.Literal('info'), Type.Literal('warn'), Type.Literal('error')], {
      default: 'info',
      description: 'The lowest level that is logged.',
    }),
  },
  { title: 'Server', description: 'The HTTP listener, its public addresses and its limits.' },
)

export type ServerSection = Static<typeof serverSection>
