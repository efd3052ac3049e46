import { randomInt } from 'node:crypto'
import { Type } from '@agent-service/sdk'
import { defineTool, type Tool } from '@agent-service/sdk/contracts/tool'

/** A tool that rolls dice with so many sides. */
export const createRollDice = (sides: number): Tool =>
  defineTool({
    name: 'roll_dice',
    description: `Rolls dice with ${sides} sides and answers with what they show.`,
    parameters: Type.Object({ count: Type.Integer({ minimum: 1, maximum: 100, description: 'How many dice.' }) }),
    effect: 'read',
    display: {
      icon: 'tool',
      words: {
        en: {
          title: 'Roll dice',
          ask: 'Roll dice: {count}',
          running: 'Rolling dice: {count}',
          done: 'Rolled dice: {count}',
          failed: 'The dice did not roll',
        },
        de: {
          title: 'Würfeln',
          ask: 'Würfeln, Würfel: {count}',
          running: 'Würfelt, Würfel: {count}',
          done: 'Gewürfelt, Würfel: {count}',
          failed: 'Die Würfel sind nicht gefallen',
        },
      },
    },
    purpose: ({ count }) => (count === 1 ? 'Roll a die' : `Roll ${count} dice`),
    execute: ({ count }) => ({ json: { rolled: Array.from({ length: count }, () => randomInt(1, sides + 1)) } }),
  })
