import { definePlugin, type Plugin, Type } from '@agent-service/sdk'
import { defineRoute, httpRoutes, ok } from '@agent-service/sdk/contracts/http-route'
import { runsService } from '@agent-service/sdk/services/runs'

/**
 * When the process of the service dies: as soon as the run was asked for, some turns of the event
 * loop later, or with the answer at hand.
 */
export type DeathMoment = 'at once' | 'soon' | 'before the answer'

const turns = 3

/**
 * Starts a run for its caller by a key, and kills the process of the service on the way where it is
 * asked to.
 */
export const runStarter = (): Plugin =>
  definePlugin({
    manifest: { id: 'run-starter', apiVersion: 1, contributes: ['http.route'], requires: ['runs'] },
    setup(context) {
      const runs = context.use(runsService)
      context.contribute(
        httpRoutes,
        defineRoute({
          method: 'POST',
          path: '/api/plugins/run-starter/runs',
          operationId: 'runStarterStart',
          summary: 'Starts a run',
          auth: 'user',
          body: { kind: 'json', schema: Type.Object({ key: Type.String(), dies: Type.String() }) },
          answers: {
            200: {
              description: 'It was started.',
              schema: Type.Object({ run: Type.String(), chat: Type.String(), repeated: Type.Boolean() }),
            },
          },
          async handle({ principal, body }) {
            const { key, dies } = body as { readonly key: string; readonly dies: DeathMoment | 'never' }
            const starting = runs.start({ userId: principal?.userId ?? '', key, chat: { title: key }, message: `Hello by ${key}` })
            if (dies === 'at once') die()
            if (dies === 'soon') dieAfter(turns)
            const { run, repeated } = await starting
            if (dies !== 'never') die()
            return ok({ run: run.id, chat: run.chatId, repeated })
          },
        }),
      )
    },
  })

const die = (): void => void process.kill(process.pid, 'SIGKILL')

const dieAfter = (left: number): void => void setImmediate(() => (left === 0 ? die() : dieAfter(left - 1)))
