import { expect } from 'chai'
import { isShared, sharedAddress } from './shared-modules.js'

describe('the modules that screens share with the console', () => {
  it('are Solid and the kit, each part at its address below the kit of the console', () => {
    const addresses = {
      'solid-js': 'solid.js',
      'solid-js/web': 'solid.js',
      'solid-js/store': 'solid.js',
      '@agent-service/sdk/web/dom': 'solid.js',
      '@agent-service/sdk/web': 'web.js',
      '@agent-service/sdk/web/configuration': 'configuration.js',
      '@agent-service/sdk/web/forms': 'forms.js',
      '@agent-service/sdk/web/lists': 'lists.js',
      '@agent-service/sdk/web/markdown': 'markdown.js',
      '@agent-service/sdk/web/preview': 'preview.js',
      '@agent-service/sdk/web/uploads': 'uploads.js',
      '@agent-service/sdk/web/words': 'words.js',
    }
    for (const [specifier, file] of Object.entries(addresses)) {
      expect(isShared(specifier), specifier).to.equal(true)
      expect(sharedAddress(specifier), specifier).to.equal(`../../kit/${file}`)
    }
  })

  it('are no others: what is for the console alone, and packages with such a name', () => {
    for (const specifier of [
      ...['@agent-service/sdk/web/host', '@agent-service/sdk/web/ui/button', '@agent-service/sdk', '@agent-service/sdk/markdown'],
      ...['solid-js-icons', 'solid-js/html', 'solid', './solid-js', '../web/solid-js/web'],
    ])
      expect(isShared(specifier), specifier).to.equal(false)
  })
})
