import { type Static, Type } from '@agent-service/sdk'
import { builtInToken } from './rules.js'

/** Section `browser`. */
export const browserSection = Type.Object(
  {
    ws_url: Type.Optional(
      Type.String({
        description: 'WebSocket URL of the headless-browser service.',
        pattern: '^wss?://\\S+$',
        examples: ['ws://browser:3000'],
      }),
    ),
    profiles_path: Type.String({
      description: 'Directory of the browser profiles, on the volume of the browser service.',
      default: '/profiles',
      minLength: 1,
    }),
    connection_timeout_ms: Type.Integer({
      description: 'How long connecting to the browser service may take.',
      default: 30_000,
      minimum: 1,
      'x-unit': 'milliseconds',
    }),
    api_token: Type.String({
      description: 'Token for the HTTP management API of the browser service. The built-in one is known to everyone.',
      default: builtInToken,
      minLength: 1,
      'x-secret': true,
      'x-default-text': 'a built-in fallback token',
    }),
  },
  { title: 'Browser', description: 'The headless browser that agents use. Without ws_url they have none.' },
)

export type BrowserSettings = Static<typeof browserSection>
