/** Formulas as models write them. */
export const formulas = [
  '\\int_0^\\infty e^{-x^2}\\,dx=\\frac{\\sqrt\\pi}{2}',
  '\\begin{aligned}f(x)&=x^2+1\\\\ &\\le y\\end{aligned}',
  '\\begin{pmatrix}a&b\\\\c&d\\end{pmatrix}',
  'f(x)=\\begin{cases}1&\\text{if }x>0\\\\0&\\text{otherwise}\\end{cases}',
  '\\sum_{i=1}^n i^2 \\xrightarrow{n\\to\\infty} \\mathbf{x}',
  '\\boxed{E=mc^2}\\quad\\cancel{y}\\overline{AB}\\hat{x}',
] as const

/** TeX that would act, load, name, cover or never end. */
export const hostileFormulas: readonly string[] = [
  '\\href{javascript:window.acted=1}{x}',
  '\\url{https://evil.example/}',
  '\\includegraphics[width=5em]{https://evil.example/a.png}',
  '\\htmlClass{scrim}{x}',
  '\\class{scrim}{x}',
  '\\htmlId{main}{x}',
  '\\htmlStyle{position:fixed;inset:0}{x}',
  '\\htmlData{a=b}{x}',
  '\\text{<img src=x onerror=window.acted=1>}',
  '\\text{<script>window.acted=1</script>}',
  '\\def\\a{\\a\\a}\\a',
  '\\def\\a#1{\\b{#1#1}}\\def\\b#1{\\a{#1#1}}\\a{x}',
  '\\rule{100000em}{100000em}',
  '\\raisebox{-100000pt}{x}\\kern-99999em x',
  '\\colorbox{url(https://evil.example/)}{x}',
  '\\color{red;background:url(https://evil.example/)}x',
  '{'.repeat(1_400) + '}'.repeat(1_400),
  `\\begin{matrix}${'&'.repeat(1_500)}\\end{matrix}`,
  'x'.repeat(3_500),
  '\\label{main}\\tag{1} x \\ref{main} \\eqref{main}',
  '\\newcommand{\\constructor}{x}\\constructor\\__proto__\\toString',
  '\\catcode`\\{=13 \\input{/etc/passwd} \\write18{id}',
  '\\operatorname{\\href{data:text/html,x}{x}}',
  '\\gdef\\frac#1#2{owned}x',
  '\\char"202E \\unicode{x202E} \\symbol{"110000}',
]
