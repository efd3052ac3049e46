import { definePlugin, Type } from '@agent-service/sdk'
import { tools } from '@agent-service/sdk/contracts/tool'
import { createRollDice } from './roll-dice.js'

/** Dice for agents. Shows a whole plugin of a third party: settings, a tool, a test. */
export default definePlugin({
  manifest: {
    id: 'tool-dice',
    apiVersion: 1,
    description: 'Rolls dice.',
    contributes: ['tool'],
    config: Type.Object({ sides: Type.Integer({ default: 6, minimum: 2, maximum: 1_000 }) }),
  },
  setup: (context) => context.contribute(tools, createRollDice(context.config.sides)),
})
