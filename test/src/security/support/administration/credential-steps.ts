import { expect } from 'chai'
import type { Answer } from '../clients.js'
import { at, plantPlain, read, remember, type Step, send, subjectIs, type World } from './step.js'

const credentialsPath = '/api/admin/credentials'

const beginSignIn = (world: World, brand: string): Promise<Answer> =>
  remember(world, 'sign-in', send(world, 'POST', '/api/admin/credentials/sign-in', { brand }), 'sign_in_id')

/**
 * Begins a sign-in and has the person say yes at the vendor; gives the address that the browser is
 * sent to.
 */
const approve = async (world: World): Promise<URL> => {
  const { json } = await beginSignIn(world, 'openai')
  const url = world.service.vendor.approveInBrowser(String(json['authorization_url']))
  world.secrets.set(`code ${world.secrets.size}`, url.searchParams.get('code') ?? '')
  return url
}

/** Credentials, and sign-ins to accounts of vendors. */
export const credentialSteps: Readonly<Record<string, Step>> = {
  createCredential: {
    call: (world) =>
      remember(
        world,
        'credential',
        send(world, 'POST', credentialsPath, { brand: 'groq', label: 'Work', api_key: plantPlain(world, 'key') }),
      ),
    noted: 'credential.created',
    check(entry, world) {
      subjectIs('credential')(entry, world)
      expect(entry.before).to.equal(null)
      expect(entry.after).to.deep.include({ purpose: 'provider', label: 'Work', content: 'set' })
    },
  },
  listCredentials: read(credentialsPath),
  getCredential: read((world) => `${credentialsPath}/${at(world, 'credential')}`),
  changeCredential: {
    call: (world) => send(world, 'PATCH', `${credentialsPath}/${at(world, 'credential')}`, { label: 'Home' }),
    noted: 'credential.changed',
    check(entry, world) {
      subjectIs('credential')(entry, world)
      expect([entry.before?.['label'], entry.after?.['label']]).to.deep.equal(['Work', 'Home'])
    },
  },
  testCredential: {
    call: (world) => send(world, 'POST', `${credentialsPath}/${at(world, 'credential')}/test`),
    noted: 'credential.tested',
    check(entry, world, answer) {
      subjectIs('credential')(entry, world)
      expect(entry.details).to.include({ brand: 'groq', ok: answer.json['ok'] })
    },
  },
  deleteCredential: {
    call: (world) => send(world, 'DELETE', `${credentialsPath}/${at(world, 'credential')}`),
    noted: 'credential.deleted',
    check(entry, world) {
      subjectIs('credential')(entry, world)
      expect([entry.before?.['label'], entry.after]).to.deep.equal(['Home', null])
    },
  },
  beginAccountSignIn: {
    call: (world) => beginSignIn(world, 'github-copilot'),
    noted: 'credential.sign_in_begun',
    check: subjectIs('sign-in'),
  },
  getAccountSignIn: read((world) => `${credentialsPath}/sign-in/${at(world, 'sign-in')}`),
  cancelAccountSignIn: {
    call: (world) => send(world, 'DELETE', `${credentialsPath}/sign-in/${at(world, 'sign-in')}`),
    noted: 'credential.sign_in_cancelled',
    check: subjectIs('sign-in'),
  },
  completeAccountSignIn: {
    call: async (world) => {
      const url = String(await approve(world))
      return remember(
        world,
        'account',
        send(world, 'POST', `${credentialsPath}/sign-in/${at(world, 'sign-in')}/redirect`, { url }),
        'credential_id',
      )
    },
    noted: 'credential.signed_in',
    check: subjectIs('account'),
  },
  returnFromAccountSignIn: {
    call: async (world) => {
      const { pathname, search } = await approve(world)
      return send(world, 'GET', `${pathname}${search}`)
    },
    noted: 'credential.signed_in',
    check: (entry) => void expect(entry.after).to.deep.include({ purpose: 'provider', content: 'set' }),
  },
}
