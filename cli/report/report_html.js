"use strict";
(() => {
	const $ = (selector) => document.querySelector(selector);

	/* The table: sorted by a column's head, searched by any part of a row. */
	const table = $(".rows"), body = table.tBodies[0], search = $("input[type=search]");
	const value = (row, column) => row.cells[column].dataset.v ?? row.cells[column].textContent;
	const isNumber = (head) => head.classList.contains("n");
	const isRest = (row) => row.classList.contains("other");
	const compare = (a, b) => a < b ? -1 : a > b ? 1 : 0;

	function sortBy(head) {
		const column = head.cellIndex, numbers = isNumber(head);
		const before = head.getAttribute("aria-sort");
		const falls = before ? before === "ascending" : numbers;
		const rows = [...body.rows].map((row) => [
			numbers ? parseFloat(value(row, column)) || 0 : value(row, column).toLowerCase(), row]);
		/* What sums up the rest stays below it. */
		rows.sort((a, b) => isRest(a[1]) - isRest(b[1]) || (falls ? -1 : 1) * compare(a[0], b[0]));
		body.append(...rows.map((pair) => pair[1]));
		for (const other of table.tHead.rows[0].cells)
			other.removeAttribute("aria-sort");
		head.setAttribute("aria-sort", falls ? "descending" : "ascending");
	}
	for (const head of table.tHead.rows[0].cells) {
		if (!head.textContent)
			continue;
		const button = document.createElement("button");
		button.type = "button";
		button.append(...head.childNodes);
		button.addEventListener("click", () => sortBy(head));
		head.append(button);
	}

	let words = [], whenSearched = () => {};
	const matches = (text) => words.every((word) => text.toLowerCase().includes(word));

	function filter() {
		words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
		let shown = 0, percent = 0;
		for (const row of body.rows) {
			const name = row.cells[row.cells.length - 1];
			row.hidden = !matches(`${row.textContent} ${name.title}`);
			if (!row.hidden) {
				shown++;
				percent += parseFloat(row.cells[0].dataset.v);
			}
		}
		$(".found").textContent = words.length
			? `${shown} of ${body.rows.length} rows, ${percent.toFixed(1)} %` : "";
		whenSearched();
	}
	search.addEventListener("input", filter);
	document.addEventListener("keydown", (event) => {
		if (event.key === "/" && event.target !== search) {
			search.focus();
			event.preventDefault();
		}
		if (event.key === "Escape" && event.target === search) {
			search.value = "";
			filter();
		}
	});
	for (const part of document.querySelectorAll(".tools, .icicles"))
		part.hidden = false;

	/* Where a function's source is closed its link opens it. */
	function reveal(hash) {
		const part = hash && document.getElementById(hash.slice(1));
		if (part)
			part.open = true;
	}
	addEventListener("click", (event) => {
		const link = event.target.closest?.("a[href^='#']");
		reveal(link && link.getAttribute("href"));
	});
	reveal(location.hash);

	/* The icicle: a node is [name, ticks, nodes, 1 of a file]; a click makes one as wide as the page. */
	if (!$("#tree"))
		return;
	const root = JSON.parse($("#tree").textContent), icicle = $(".icicle"), crumbs = $(".crumbs");
	const { period, above } = $("#tree").dataset;
	const total = root[1], step = 24, letterWidth = 7.3;
	let path = [root];

	/* Each kind of thing has a hue of its own: objects, files, functions and what was inlined, lines. */
	function color(nodes) {
		const node = nodes[nodes.length - 1], files = nodes.filter((other) => other[3]).length;
		const depth = nodes.length - above; /* 2 of an object, what it is in has less */
		let hash = 0, kind = 2 + Math.min(depth - files - 3, 2);
		if (nodes.length === 1)
			return "hsl(215 12% 76%)";
		if (depth <= 2 || node[3])
			kind = depth <= 2 ? 0 : 1;
		else if (/^line \d+$/.test(node[0]))
			kind = 5;
		for (const letter of node[0])
			hash = (hash * 31 + letter.codePointAt(0)) >>> 0;
		const hue = [215, 165, 40, 18, 330, 275][kind] + hash % 24 - 12;
		return `hsl(${hue} ${55 + hash % 20}% ${72 + (hash >> 5) % 10}%)`;
	}
	const share = (node) => (100 * node[1] / total).toFixed(1) + " %";
	const seconds = (node) => Number((period * node[1]).toPrecision(3)) + " s";
	/* The last part of a name of C++ or Rust, without brackets: what tells it from its neighbours. */
	function lastPart(name) {
		const signs = /^(\(\)|<=>|<<=|>>=|->\*?|<<|>>|<=|>=|<|>)/;
		let text = "", depth = 0;
		for (let at = 0; at < name.length; at++) {
			const sign = !depth && text.endsWith("operator") && signs.exec(name.slice(at, at + 3));
			if (sign) {
				text += sign[0];
				at += sign[0].length - 1;
			} else if ("<(".includes(name[at])) {
				depth++;
			} else if (name[at] === ")" || (name[at] === ">" && name[at - 1] !== "-")) {
				depth--;
			} else if (!depth) {
				text += name[at];
			}
		}
		const parts = text.split("::").filter(Boolean).slice(/(^|::)operator[^:]*$/.test(text) ? -2 : -1);
		return depth ? name : parts.join("::").trim() || name;
	}
	function shorten(node, size) {
		if (node[3])
			return node[0].slice(node[0].lastIndexOf("/") + 1);
		return 10 + letterWidth * node[0].length > size ? lastPart(node[0]) : node[0];
	}

	function describe(nodes) {
		const node = nodes[nodes.length - 1];
		crumbs.textContent = nodes.map((other) => other[0]).join(" › ") + `  ${share(node)}, ${seconds(node)}`;
	}
	/* One box can be reached by Tab, from there the others by arrows. */
	function focus(box) {
		icicle.querySelector("[tabindex='0']")?.setAttribute("tabindex", -1);
		box.tabIndex = 0;
		box.focus();
	}
	function dim() {
		for (const box of icicle.children)
			box.classList.toggle("dim", words.length > 0 && !box.nodes.some((node) => matches(node[0])));
	}
	whenSearched = dim;
	function zoom(nodes) {
		path = nodes;
		draw();
		focus(icicle.children[path.length - 1]);
	}
	function draw() {
		const width = icicle.clientWidth, top = path.length - 1, base = path[top];
		let deepest = 0;
		const boxes = [];
		function place(nodes, left, size, depth) {
			if (size < 1)
				return;
			deepest = Math.max(deepest, depth);
			boxes.push([nodes, left, size, depth]);
			const node = nodes[nodes.length - 1];
			for (const child of node[2]) {
				const part = size * child[1] / node[1];
				place([...nodes, child], left, part, depth + 1);
				left += part;
			}
		}
		path.slice(0, -1).forEach((node, depth) => boxes.push([path.slice(0, depth + 1), 0, width, depth]));
		place(path, 0, width, top);
		icicle.replaceChildren(...boxes.map(([nodes, left, size, depth]) => {
			const node = nodes[nodes.length - 1], box = document.createElement("button");
			box.type = "button";
			box.style.cssText = `left:${left}px;width:${size}px;top:${depth * step}px;background:${color(nodes)}`;
			box.textContent = size > 24 ? shorten(node, size) : "";
			box.title = `${node[0]}\n${share(node)}, ${seconds(node)}`;
			box.setAttribute("aria-label", `${node[0]}, ${share(node)}`);
			box.tabIndex = node === base ? 0 : -1;
			box.nodes = nodes;
			box.addEventListener("mouseenter", () => describe(nodes));
			box.addEventListener("focus", () => describe(nodes));
			box.addEventListener("click", () =>
				zoom(node === base && path.length > 1 ? path.slice(0, -1) : nodes));
			return box;
		}));
		icicle.style.height = `${Math.max(deepest + 1, path.length) * step}px`;
		describe(path);
		dim();
	}
	/* Left and right in the same row, up and down to what it is part of and to its largest part. */
	function neighbour(box, key) {
		const boxes = [...icicle.children], depth = box.nodes.length;
		const row = boxes.filter((other) => other.nodes.length === depth), at = row.indexOf(box);
		const node = box.nodes[depth - 1];
		return {
			ArrowLeft: row[at - 1],
			ArrowRight: row[at + 1],
			ArrowUp: boxes.find((other) => other.nodes.length === depth - 1
				&& other.nodes[depth - 2] === box.nodes[depth - 2]),
			ArrowDown: boxes.find((other) => other.nodes.length === depth + 1 && other.nodes[depth - 1] === node),
		}[key];
	}
	icicle.addEventListener("keydown", (event) => {
		const next = event.target.nodes && neighbour(event.target, event.key);
		if (event.key === "Escape")
			zoom([root]);
		if (next)
			focus(next);
		if (event.key.startsWith("Arrow"))
			event.preventDefault();
	});
	icicle.addEventListener("mouseleave", () => describe(path));
	addEventListener("resize", draw);
	draw();
})();
