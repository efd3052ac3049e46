import { expect } from 'chai'
import { isGuessableFromNames } from './guessable-names.js'

const owner = { username: 'lovelace', handle: 'countess', email: 'ada.byron@example.org' }

describe('passwords that are guessed from names', () => {
  for (const password of [
    'lovelace1843',
    'my LoveLace poem',
    'the-countess-!',
    'ada.byron#1',
    'Agent-Service',
    'agentservice2026',
    'the agent service of mine',
  ]) {
    it(`6.2.11 refuses ${JSON.stringify(password)}`, () => {
      expect(isGuessableFromNames(password, owner)).to.equal(true)
    })
  }

  for (const password of ['adaadaada', 'Ada-Ada-1!', 'ada!!!!!!!!', '123ada']) {
    it(`6.2.11 refuses ${JSON.stringify(password)}, which is little else than a short name`, () => {
      expect(isGuessableFromNames(password, { username: 'ada', email: null })).to.equal(true)
    })
  }

  for (const password of ['canada is a country', 'ada-secret-1', 'correct horse battery', '!!!!!!!!', 'agents of a service']) {
    it(`takes ${JSON.stringify(password)}`, () => {
      expect(isGuessableFromNames(password, { username: 'ada', email: null })).to.equal(false)
    })
  }
})
