/* global consolePanel */

const texts = {
  en: { throw: 'Throw the dice', none: 'No throw yet', eyes: (sum) => `${sum} eyes`, die: (eyes) => `A die that shows ${eyes}` },
  de: { throw: 'Würfeln', none: 'Noch kein Wurf', eyes: (sum) => `${sum} Augen`, die: (eyes) => `Ein Würfel, der ${eyes} zeigt` },
}

/** Where the pips of a die of six sides are, on a grid of three by three. */
const pips = [[], [5], [1, 9], [1, 5, 9], [1, 3, 7, 9], [1, 3, 5, 7, 9], [1, 3, 4, 6, 7, 9]]

/** A board that throws by the plugin's own routes and follows the language of the console. */
class DiceBoard extends HTMLElement {
  #last
  #unfollow

  connectedCallback() {
    this.#unfollow = consolePanel.onAppearance(() => this.#draw())
    this.#draw()
    this.#load()
  }

  disconnectedCallback() {
    this.#unfollow?.()
  }

  async #load() {
    const { items } = await consolePanel.call('GET', '/api/plugins/panel-dice/throws', { query: { limit: 1 } })
    this.#last = items[0]
    this.#draw()
  }

  async #throw() {
    this.#last = await consolePanel.call('POST', '/api/plugins/panel-dice/throws')
    this.#draw()
    this.querySelector('button').focus()
  }

  #draw() {
    const words = texts[consolePanel.appearance.language] ?? texts.en
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = words.throw
    button.addEventListener('click', () => this.#throw())
    const sum = document.createElement('output')
    sum.textContent = this.#last ? words.eyes(this.#last.sum) : words.none
    const board = document.createElement('div')
    board.className = 'board'
    board.append(...(this.#last?.eyes ?? []).map((eyes) => dieOf(eyes, words)))
    this.replaceChildren(board, sum, button)
  }
}

function dieOf(eyes, words) {
  const die = document.createElement('span')
  die.className = 'die'
  die.setAttribute('role', 'img')
  die.setAttribute('aria-label', words.die(eyes))
  if (!pips[eyes]) die.textContent = String(eyes)
  else
    for (const place of pips[eyes]) {
      const pip = document.createElement('i')
      pip.style.gridArea = `${Math.ceil(place / 3)} / ${((place - 1) % 3) + 1}`
      die.append(pip)
    }
  return die
}

customElements.define('dice-board', DiceBoard)
