import { expect } from 'chai'
import { touchesGuarded } from './guarded-paths.js'

describe('touchesGuarded', () => {
  const guarded = [
    'plugins.sources',
    'plugins.sources[0]',
    'server.static_dir',
    'storage',
    'storage.data_dir',
    'storage.anything.deeper',
    'database.url',
    'database',
    'plugins',
    'server',
    'sso.authority',
    'sso',
    '"plugins"."sources"',
    'plugins."sources"',
    '"stor\\u0061ge"',
    '',
  ]
  for (const path of guarded) {
    it(`knows “${path}”, set or reset`, () => {
      expect(touchesGuarded({ set: { 'server.port': 1, [path]: 1 } })).to.equal(true)
      expect(touchesGuarded({ reset: ['server.port', path] })).to.equal(true)
    })
  }

  it('leaves everything else to every administrator', () => {
    const set = {
      'plugins.disabled': [],
      'plugins.settings.sources': {},
      'server.port': 1,
      'providers.storage': {},
      '"storage.data_dir"': 1,
    }
    expect(touchesGuarded({ set, reset: ['mail', 'sso.client_secret', 'app.database', 'server..static_dir'] })).to.equal(false)
    expect(touchesGuarded({})).to.equal(false)
  })
})
