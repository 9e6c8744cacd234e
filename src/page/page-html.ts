import { STYLE } from '../report/html/style.ts';

/** Nothing is loaded from elsewhere, nothing is sent anywhere, and no text becomes script or style. */
export const POLICY =
  "default-src 'none'; script-src 'self'; worker-src 'self'; connect-src 'self'; style-src 'self'; base-uri 'none'; form-action 'none'";

const JUMPS = ['10s', '1m', '10m', '1h'].map((jump) => `<button data-jump="${jump}">+${jump}</button>`).join('');
const SPEEDS = ['1', '10', '60'].map((speed) => `<button data-speed="${speed}">×${speed}</button>`).join('');

export const PAGE_HTML = `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>podcheck: a Kubernetes cluster to break</title>
<link rel="stylesheet" href="page.css">
<script type="module" src="page/ui.js"></script></head>
<body><main>
<h1>podcheck <small id="title">a simulated cluster</small></h1>
<noscript>This page needs JavaScript: it simulates the cluster in your browser. Nothing is sent anywhere.</noscript>
<p class="bar"><label>Scenario <select id="scenario"></select></label>
<label>Seed <input id="seed" value="1" size="6" maxlength="15"></label>
<label><input type="checkbox" id="drill"> as a drill</label>
<button id="open">Open</button><button id="share">Link</button></p>
<p id="trouble" role="alert" class="blocked"></p>
<p id="stuck" hidden>The simulator is still busy. <button id="again">Stop it and start again</button></p>
<p class="bar" role="group" aria-label="Time"><button id="pause">Pause</button>
<button id="step">Step</button>${SPEEDS}${JUMPS}<button id="finish">To the end</button>
<label class="moment">Moment <input type="range" id="moment" min="0" max="0" value="0"></label> <span id="clock">
</span></p>
<canvas id="picture" role="img" aria-label="All pods by stage and node; the text below says the same"></canvas>
<p id="summary" role="status"></p>
<div id="log" role="log" aria-label="Output of the console" tabindex="0"></div>
<form id="prompt"><label for="line">$</label><input id="line" aria-label="Command" autocomplete="off"
 autocapitalize="off" spellcheck="false" enterkeyhint="send" placeholder="kubectl get pods -A"></form>
<p class="muted">Commands: kubectl, podcheck diagnose, podcheck scan, sleep 10m, help. Tab completes. Nothing is sent anywhere or stored.</p>
<dialog id="editor" aria-labelledby="name"><h2 id="name"></h2><textarea id="draft" rows="20" spellcheck="false"
 aria-label="YAML"></textarea>
<p id="broken" role="alert" class="blocked"></p><p class="bar"><button id="save">Apply</button>
<button id="cancel">Cancel</button></p></dialog>
</main></body></html>
`;

export const PAGE_CSS = `${STYLE}
[hidden]{display:none}h1 small{font-size:1rem;color:var(--muted);font-weight:400}
main{max-width:75rem}p{margin:.4rem 0}.bar{display:flex;flex-wrap:wrap;gap:.4rem;align-items:center}
label{display:inline-flex;gap:.3rem;align-items:center;max-width:100%}select{min-width:0;max-width:min(30rem,70vw)}
button,select,input,textarea{font:inherit;color:inherit;background:var(--panel);border:1px solid var(--line);
border-radius:.3rem;padding:.25rem .6rem}
button[aria-pressed=true]{border-color:var(--link);color:var(--link)}.moment{flex:1 1 12rem}.moment input{flex:1;
min-width:4rem;padding:0}
#picture{display:block;width:100%;height:16rem;border:1px solid var(--panel)}
#log{height:24rem;overflow:auto;border:1px solid var(--line);padding:.25rem .5rem}
#log pre{background:none;border:0;padding:0;margin:0}#log .typed{color:var(--link)}.failed{color:var(--blocked)}
.bold{font-weight:600}
@media(min-width:60rem){#log pre{white-space:pre}}
#prompt{display:flex;gap:.4rem;align-items:center;margin:.4rem 0}#line{flex:1;min-width:0;
font-family:ui-monospace,monospace}
dialog{width:min(60rem,94vw);box-sizing:border-box;background:var(--bg);color:var(--text);
border:1px solid var(--line)}
textarea{box-sizing:border-box;width:100%;font:.875rem/1.4 ui-monospace,monospace}
`;
