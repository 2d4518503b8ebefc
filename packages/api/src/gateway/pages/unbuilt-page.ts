/** The page shown while the pages are being built; it reloads itself. */

export const UNBUILT_PAGE = Buffer.from(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="2">
<title>Bourse: the pages are being built</title>
<link rel="icon" href="data:,">
<style>
:root { color-scheme: light dark; }
body { font: 16px/1.6 system-ui, sans-serif; max-width: 34rem; margin: 20vh auto; padding: 0 1.5rem; }
code { font: 14px ui-monospace, monospace; }
</style>
</head>
<body>
<main>
<h1>The pages are being built</h1>
<p>The exchange runs. Its pages are not there yet, so this start builds them, once, which takes some seconds; this page looks again every two.</p>
<p>If it stays like this, run <code>npm run build:web</code> and see what it says. The API is documented at <a href="/docs/reference">/docs/reference</a>.</p>
</main>
</body>
</html>
`);
