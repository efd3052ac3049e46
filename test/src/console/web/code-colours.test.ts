import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { closeBrowser, openPage } from '../open-page.js'
import { bundleWebModules, openWebModules } from '../support/web-modules.js'

/** A line or two in each language, with something to colour. */
const samples: Readonly<Record<string, string>> = {
  bash: 'if [ -f "$file" ]; then # yes\n  echo done\nfi\n',
  c: '/* a\n b */\nint main(void) { return 0; }\n',
  clojure: '(defn add [a b] "sum" (+ a b))\n',
  cmake: 'set(NAME "value") # yes\n',
  'c++': 'auto text = R"(a\n"b")";\nclass A {};\n',
  'c#': 'public string Name => "x";\n',
  css: '@media print { a { color: red; } }\n',
  dart: 'final name = "x"; // yes\n',
  diff: '-old\n+new\n',
  dockerfile: 'FROM node:20\nRUN ["a"]\n',
  go: 'func main() { fmt.Println(`a\nb`) }\n',
  gradle: 'def a = "b"\n',
  haskell: 'main :: IO ()\nmain = putStrLn "a"\n',
  html: '<!-- a\n b --><p class="a">x</p>\n',
  ini: '[part]\nkey = value\n',
  java: '/** a\n * b */\npublic class A { int b = 1; }\n',
  javascript: 'const a = `b\n${c}` // d\n',
  json: '{ "a": [1, true, "b"] }\n',
  julia: 'function f(a) "b" end\n',
  kotlin: 'val a: String = """b\nc"""\n',
  less: '@a: red;\n.b { color: @a; }\n',
  lua: 'local a = [[b\nc]] -- d\n',
  mysql: "select `a` from b where c = 'd';\n",
  nginx: 'server { listen 80; } # a\n',
  'objective-c': '@interface A : B\n@end\n',
  perl: 'my $a = "b"; # c\n',
  php: '<?php\nfunction a(string $b): string { return "c"; } # d\n',
  powershell: 'function Get-A { "b" } # c\n',
  protobuf: 'message A { string b = 1; }\n',
  python: 'def a():\n  """b\n  c"""\n  return None\n',
  r: 'a <- function(b) "c" # d\n',
  ruby: 'def a\n  "b#{c}"\nend\n',
  rust: 'fn main() { let a = "b\nc"; }\n',
  scala: 'object A { val b = "c" }\n',
  scss: '$a: red;\n.b { color: $a; }\n',
  sql: "select a from b where c = 'd'; -- e\n",
  sqlite: "select a from b where c = 'd';\n",
  swift: 'let a: String = "b" // c\n',
  toml: '[part]\na = "b"\n',
  tsx: 'const a: string = "b"\n',
  xml: '<?xml version="1.0"?>\n<a b="c"/>\n',
  yml: 'a: "b" # c\n',
}

/** Code that is made to be too much for a reader of code. */
const hostileCode: Readonly<Record<string, string>> = {
  html: `${'<a '.repeat(3_000)}\n${'<!--'.repeat(400)}\n<script>window.acted = 1</script>\n<img src=x onerror="window.acted = 1">\n`,
  javascript: `${'('.repeat(1_900)}\n${'`${'.repeat(600)}\n${'/'.repeat(1_900)}\n</code></pre><script>window.acted = 1</script>\n`,
  css: `${'{'.repeat(1_900)}\n@import url(https://evil.example/a.css);\n${'a,'.repeat(900)}\n`,
  python: `${'('.repeat(1_000)}\n${'f"{'.repeat(400)}\n${'    '.repeat(400)}x\n`,
  sql: `${"'".repeat(1_999)}\n${'/*'.repeat(900)}\n`,
  yaml: `${'- '.repeat(900)}\n${'&a *a '.repeat(300)}\n`,
  ruby: `${'<<A;'.repeat(400)}\n${'#{'.repeat(800)}\n`,
  xml: `<!DOCTYPE a [<!ENTITY b "&c;&c;"><!ENTITY c SYSTEM "https://evil.example/">]>\n${'<a>'.repeat(600)}\n`,
  json: `{"__proto__": {"acted": true}, "constructor": ${'['.repeat(1_900)}\n`,
  __proto__x: 'plain\n',
  constructor: 'plain\n',
  toString: 'plain\n',
}

interface Seen {
  readonly text: string
  readonly classes: readonly string[]
  readonly others: readonly string[]
}

describe('colours of code in the console', function () {
  this.timeout(60_000)
  let page: Page
  before(async () => {
    page = (await openPage({ url: 'http://console.localhost' })).page
    await openWebModules(page, await bundleWebModules(['sdk/web/highlight/coloured-text.ts', 'sdk/web/highlight/file-name.ts']))
    // The tasks of the page, carried out by hand.
    await page.evaluate(`(() => {
      window.tasks = []
      window.setTimeout = (task) => window.tasks.push(task)
      window.clearTimeout = () => {}
      window.begin = async (language, text, finished = true) => {
        const code = document.createElement('code')
        document.body.append(code)
        const coloured = new web.ColouredText(code)
        coloured.write(text, finished)
        await coloured.colourAs(language)
        return { code, coloured }
      }
      window.runTask = () => window.tasks.shift()?.()
      window.runTasks = () => { while (window.tasks.length > 0) runTask() }
      window.seen = (code) => ({
        text: code.textContent,
        classes: [...new Set([...code.querySelectorAll('[class]')].map((each) => each.className))].filter((name) => name !== 'code-part').sort(),
        others: [...code.querySelectorAll('*')].filter((each) => each.localName !== 'span' || each.attributes.length !== 1).map((each) => each.outerHTML),
      })
    })()`)
  })
  after(() => closeBrowser())

  const colour = (language: string, text: string): Promise<Seen> =>
    page.evaluate(
      `begin(${JSON.stringify(language)}, ${JSON.stringify(text)}).then(({ code }) => { runTasks(); const found = seen(code); code.remove(); return found })`,
    )

  it('every language has some, and its text stays as it was', async () => {
    const bare: string[] = []
    for (const [language, text] of Object.entries(samples)) {
      const { text: shown, classes, others } = await colour(language, text)
      expect(shown, language).to.equal(text)
      expect(others, language).to.deep.equal([])
      if (classes.length === 0) bare.push(language)
    }
    expect(bare).to.deep.equal([])
    expect(await colour('klingon', 'a "b"\n')).to.deep.equal({ text: 'a "b"\n', classes: [], others: [] })
  })

  it('carries what a line leaves open to the next', async () => {
    const last = await page.evaluate(`begin('js', 'a\\n/* b\\nc\\nd */ e\\n').then(({ code }) => {
      runTasks()
      return [...code.querySelectorAll('.co')].map((each) => each.textContent)
    })`)
    expect(last).to.deep.equal(['/* b', 'c', 'd */'])
  })

  it('come with each finished line, once, while the text grows', async () => {
    const found = await page.evaluate(`begin('py', 'def a', false).then(({ code, coloured }) => {
      runTasks()
      const steps = [code.querySelectorAll('span').length]
      coloured.write('def a():\\n  ret', false)
      runTasks()
      const first = code.querySelector('.k')
      steps.push(first.textContent)
      coloured.write('def a():\\n  return 1', false)
      runTasks()
      steps.push(code.querySelectorAll('.k').length)
      coloured.write('def a():\\n  return 1', true)
      runTasks()
      steps.push(code.querySelectorAll('.k').length, code.querySelector('.k') === first, code.textContent)
      return steps
    })`)
    expect(found).to.deep.equal([0, 'def', 1, 2, true, 'def a():\n  return 1'])
  })

  it('start again when the text is another one', async () => {
    const found = await page.evaluate(`begin('py', 'def a():\\n').then(({ code, coloured }) => {
      runTasks()
      coloured.write('class B:\\n', true)
      runTasks()
      return [code.textContent, code.querySelector('.k').textContent]
    })`)
    expect(found).to.deep.equal(['class B:\n', 'class'])
  })

  it('take a bounded piece of a long text in each task of the page', async () => {
    const lines = Array.from({ length: 2_000 }, (_, index) => `const value${index} = call("text", ${index}) // note`)
    const pieces = (await page.evaluate(`begin('ts', ${JSON.stringify(`${lines.join('\n')}\n`)}).then(({ code }) => {
      const pieces = []
      let before = code.lastChild.data.length
      while (window.tasks.length > 0) {
        runTask()
        pieces.push(before - code.lastChild.data.length)
        before = code.lastChild.data.length
      }
      return pieces
    })`)) as number[]
    const length = lines.join('\n').length + 1
    expect(pieces.reduce((sum, piece) => sum + piece, 0)).to.equal(length)
    expect(Math.max(...pieces)).to.be.below(2_600)
    expect(pieces).to.have.length(pieces.filter((piece) => piece >= 2_500).length + 1)
  })

  it('become nothing but pieces of the text, whatever the code is made of', async () => {
    for (const [language, text] of Object.entries(hostileCode)) {
      const { text: shown, others } = await colour(language, text)
      expect(shown, language).to.equal(text)
      expect(others, language).to.deep.equal([])
    }
    expect(await page.evaluate('[window.acted, {}.acted, document.scripts.length]')).to.deep.equal([undefined, undefined, 1])
  })

  it('have a file name of the fence, without folders, or one of the language', async () => {
    const nameOf = (info: string): Promise<unknown> => page.evaluate(`web.codeFileName(${JSON.stringify(info)}, 'py')`)
    const names = {
      python: 'code.py',
      'python title="a b.py"': 'a b.py',
      "python file='x/y.py'": 'y.py',
      'python filename=main.py': 'main.py',
      'py:src/main.py': 'main.py',
      'python main.py': 'main.py',
      'python {1,3}': 'code.py',
      'python title="../../.bashrc"': 'code.py',
      'python title="..\\\\a.py"': 'a.py',
      'python title="a\u202Egpj.py"': 'code.py',
      'python title="a:b|c"': 'code.py',
      'python title=""': 'code.py',
    }
    for (const [info, name] of Object.entries(names)) expect(await nameOf(info), info).to.equal(name)
  })
})
