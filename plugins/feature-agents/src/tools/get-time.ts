import { Type } from '@agent-service/sdk'
import type { Tool } from '@agent-service/sdk/contracts/tool'
import type { Clock } from '@agent-service/sdk/services/clock'
import { LRUCache } from 'lru-cache'
import { toolWords } from './tool-words.js'

/** The built-in clock: the current time, in the person's zone or another. */
export function createGetTimeTool(clock: Pick<Clock, 'now'>): Tool {
  return {
    specVersion: 1,
    name: 'get_time',
    title: 'Read the clock',
    display: toolWords.get_time,
    description:
      'Returns the current date, time, weekday and UTC offset. Without a time zone it uses that of the person you are talking to. Use it whenever the answer depends on the current time.',
    parameters: Type.Object({
      timezone: Type.Optional(Type.String({ maxLength: 100, description: 'An IANA time zone such as Europe/Vienna.' })),
    }),
    effect: 'read',
    supports: { probe: false },
    purpose: (input) => (typeof input['timezone'] === 'string' ? `Read the clock in ${input['timezone']}` : 'Read the clock'),
    async execute(input, context) {
      const timezone = typeof input['timezone'] === 'string' ? input['timezone'] : context.timezone
      const now = new Date(clock.now())
      const local = localTime(now, timezone)
      if (!local) {
        return {
          isError: true,
          content: [
            { type: 'text', text: `“${timezone}” is not a time zone. Use an IANA name such as Europe/Vienna, America/New_York or UTC.` },
          ],
        }
      }
      return { content: [{ type: 'json', json: { ...local, timezone, utc: now.toISOString() } }] }
    },
  }
}

/**
 * How many formats are cached, one for each zone: creating one takes a hundred times as long as
 * using it.
 */
const maxFormats = 50
const formats = new LRUCache<string, Intl.DateTimeFormat>({ max: maxFormats })

/** @throws RangeError for an unknown zone. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    weekday: 'long',
    timeZoneName: 'longOffset',
  })
  formats.set(timeZone, made)
  return made
}

function localTime(
  now: Date,
  timeZone: string,
): { readonly date: string; readonly time: string; readonly weekday: string; readonly utc_offset: string } | undefined {
  try {
    const parts = formatOf(timeZone).formatToParts(now)
    const part = (type: Intl.DateTimeFormatPartTypes): string => parts.find((candidate) => candidate.type === type)?.value ?? ''
    return {
      date: `${part('year')}-${part('month')}-${part('day')}`,
      time: `${part('hour')}:${part('minute')}:${part('second')}`,
      weekday: part('weekday'),
      utc_offset: part('timeZoneName').replace('GMT', '') || '+00:00',
    }
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
