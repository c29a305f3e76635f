"""Names of options that are more than names to somebody: a terminal, a spreadsheet, a browser, plotly, a template."""

MARK = "hacked"  # what a script would set
ESCAPES = (
    *("\x1b[31mred", "\x1b]0;title\x07", "\x1b[2J\x1b[H", "\x9b31m", "\x08\x08\x08", "a\rb", "\x00", "\x7f"),
    *("\u202egnp.exe", "\u2066left\u2069", "\u200bnothing", "line\nbreak", "\u2028", "\ufeffmark", "\x1b(0", "\x05"),
)
FORMULAS = (
    *("=cmd()", "@SUM(1)", "+1+1", "-1+1", "\t=1+1", "\r=1+1", " =1+1", "=cmd|' /C calc'!A0", "\n=1+1"),
    *('=HYPERLINK("file.html")', "＝1+1", "-", "+", "=", "@"),  # noqa: RUF001
)
SCRIPTS = (
    f"<script>window.{MARK}=1</script>",
    f"</script><script>window.{MARK}=1</script>",
    f"<!--<script>window.{MARK}=1</script>",
    f"<img src=x onerror=window.{MARK}=1>",
    f"<svg onload=window.{MARK}=1>",
    f'" onmouseover="window.{MARK}=1" x="',
    f"' onfocus='window.{MARK}=1' autofocus x='",
    f'<a href="javascript:window.{MARK}=1">here</a>',
    '<a href="http://localhost:1/">there</a>',
    "<img src=http://localhost:1/pixel.png>",
    "<link rel=stylesheet href=http://localhost:1/a.css>",
    "<iframe src=http://localhost:1/></iframe>",
    "<style>* { display: none }</style>",
    "<meta http-equiv=refresh content='0;url=http://localhost:1/'>",
    "<base href=http://localhost:1/>",
    "</main></body></html>",
    "</title></h1>",
    "</figure></table></td>",
    "<b>bold</b><br><sup>1</sup>",
    "&lt;b&gt;",
    "&amp;amp;",
    "&#60;script&#62;",
    "{{ 7 * 7 }}",
    "{% raw %}",
    "{{ self.__init__.__globals__ }}",
    "{# gone #}",
    f"${{window.{MARK}=1}}",
    f"`;window.{MARK}=1;`",
    f"\\u003cscript>window.{MARK}=1",
    f"]]><script>window.{MARK}=1</script>",
    "%{x} %{customdata[0]}",
    "$\\frac{1}{2}$",
    "__proto__",
    "constructor",
    "toString",
    "null",
    "x" * 10_000,
    "W" * 300,
    "\u202ertl <b>",
)
