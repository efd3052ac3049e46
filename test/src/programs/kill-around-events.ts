import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import type { Plugin } from '@agent-service/sdk'
import { eventsService, type PluginEvents } from '@agent-service/sdk/services/events'

/**
 * When the process kills itself: at an event that reports to this, before the handler is called or
 * once it has resolved.
 */
export interface EventKillPlan {
  readonly reportsTo: string
  readonly moment: 'before' | 'behind'
}

/**
 * The same plugin, whose process dies around a handler of events as the file at `planPath` says.
 * What the plugin does is left alone.
 */
export function killAroundEvents(plugin: Plugin, planPath: string): Pick<Plugin, 'setup'> {
  const dieAt = (data: unknown, moment: EventKillPlan['moment']): void => {
    if (!existsSync(planPath)) return
    const plan = JSON.parse(readFileSync(planPath, 'utf8')) as EventKillPlan
    const { reports_to } = data as { readonly reports_to?: { readonly id: string } }
    if (plan.moment !== moment || plan.reportsTo !== reports_to?.id) return
    rmSync(planPath)
    // From outside: a plugin may not end the process of the service itself.
    spawnSync('kill', ['-KILL', String(process.pid)])
  }
  const dying = (events: PluginEvents): PluginEvents => ({
    record: (transaction, event) => events.record(transaction, event),
    publishDelta: (event) => events.publishDelta(event),
    announce: (event) => events.announce(event),
    position: (userId) => events.position(userId),
    unsubscribe: (id) => events.unsubscribe(id),
    subscribe: (subscription) =>
      events.subscribe({
        ...subscription,
        async handle(event, options) {
          const data = event.kind === 'event' ? event.data : {}
          dieAt(data, 'before')
          await subscription.handle(event, options)
          dieAt(data, 'behind')
        },
      }),
  })
  return {
    setup(context) {
      const use = ((reference: { readonly id: string }, options?: { readonly optional: true }) => {
        const service: unknown = context.use(reference as typeof eventsService, options)
        return reference.id === eventsService.id ? dying(service as PluginEvents) : service
      }) as typeof context.use
      return plugin.setup({ ...context, use })
    },
  }
}
