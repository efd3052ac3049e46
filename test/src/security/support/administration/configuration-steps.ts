import { expect } from 'chai'
import { at, plant, remember, type Step, send } from './step.js'

/** Reading, checking and changing the configuration. */
export const configurationSteps: Readonly<Record<string, Step>> = {
  getConfiguration: { call: (world) => remember(world, 'revision', send(world, 'GET', '/api/admin/config'), 'revision') },
  checkConfiguration: {
    call: (world) => send(world, 'POST', '/api/admin/config/check', { set: { 'voice.telephony_auth_token': plant(world, 'checked') } }),
  },
  changeConfiguration: {
    call: (world) =>
      send(
        world,
        'PATCH',
        '/api/admin/config',
        {
          set: {
            'providers.work.api_key': plant(world, 'another key of a connection'),
            'inference.max_tool_turns': 7,
          },
        },
        { 'if-match': at(world, 'revision') },
      ),
    noted: 'configuration.changed',
    check(entry, world, answer) {
      expect(entry.before).to.deep.equal({ 'providers.work.api_key': 'set', 'inference.max_tool_turns': null })
      expect(entry.after).to.deep.equal({ 'providers.work.api_key': 'changed', 'inference.max_tool_turns': 7 })
      expect(entry.details).to.deep.equal({ previous_revision: at(world, 'revision'), revision: answer.json['revision'] })
    },
  },
}
