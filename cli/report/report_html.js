"use strict";
(() => {
	const $ = (selector) => document.querySelector(selector);

	/* The table: sorted by a column's head, searched by any part of a row. */
	const table = $(".rows"), body = table.tBodies[0], search = $("input[type=search]");
	const value = (row, column) => row.cells[column].dataset.v ?? row.cells[column].textContent;
	const isNumber = (head) => head.classList.contains("n");
	const compare = (a, b) => a < b ? -1 : a > b ? 1 : 0;

	function sortBy(head) {
		const column = head.cellIndex, numbers = isNumber(head);
		const before = head.getAttribute("aria-sort");
		const falls = before ? before === "ascending" : numbers;
		const rows = [...body.rows].map((row) => [
			numbers ? parseFloat(value(row, column)) || 0 : value(row, column).toLowerCase(), row]);
		rows.sort((a, b) => (falls ? -1 : 1) * compare(a[0], b[0]));
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

	function filter() {
		const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
		let shown = 0, percent = 0;
		for (const row of body.rows) {
			const name = row.cells[row.cells.length - 1];
			const text = `${row.textContent} ${name.title}`.toLowerCase();
			row.hidden = !words.every((word) => text.includes(word));
			if (!row.hidden) {
				shown++;
				percent += parseFloat(row.cells[0].dataset.v);
			}
		}
		$(".found").textContent = words.length
			? `${shown} of ${body.rows.length} rows, ${percent.toFixed(1)} %` : "";
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

	/* The icicle: a node is [name, ticks, nodes]; a click makes one as wide as the page. */
	if (!$("#tree"))
		return;
	const root = JSON.parse($("#tree").textContent), icicle = $(".icicle"), crumbs = $(".crumbs");
	const total = root[1], step = 24;
	let path = [root];

	function color(name, depth) {
		let hash = 0;
		if (depth < 0)
			return "hsl(215 12% 76%)";
		for (const letter of name)
			hash = (hash * 31 + letter.codePointAt(0)) >>> 0;
		const hue = [215, 165, 40, 18, 330, 275][Math.min(depth, 5)] + hash % 24 - 12;
		return `hsl(${hue} ${55 + hash % 20}% ${72 + (hash >> 5) % 10}%)`;
	}
	const share = (node) => (100 * node[1] / total).toFixed(1) + " %";
	const shorten = (name) => name.startsWith("/") ? name.slice(name.lastIndexOf("/") + 1) : name;

	function describe(nodes) {
		crumbs.textContent = nodes.map((node) => node[0]).join(" › ")
			+ "  " + share(nodes[nodes.length - 1]);
	}
	function draw() {
		const width = icicle.clientWidth, above = path.length - 1, base = path[above];
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
		place(path, 0, width, above);
		icicle.replaceChildren(...boxes.map(([nodes, left, size, depth]) => {
			const node = nodes[nodes.length - 1], box = document.createElement("button");
			box.type = "button";
			box.style.cssText = `left:${left}px;width:${size}px;top:${depth * step}px;background:${color(node[0], depth - 1)}`;
			box.textContent = size > 24 ? shorten(node[0]) : "";
			box.title = `${node[0]}\n${node[1]} ticks, ${share(node)}`;
			box.setAttribute("aria-label", `${node[0]}, ${share(node)}`);
			box.tabIndex = size > 24 ? 0 : -1;
			box.addEventListener("mouseenter", () => describe(nodes));
			box.addEventListener("focus", () => describe(nodes));
			box.addEventListener("click", () => {
				path = node === base && path.length > 1 ? path.slice(0, -1) : nodes;
				draw();
				icicle.children[path.length - 1].focus();
			});
			return box;
		}));
		icicle.style.height = `${Math.max(deepest + 1, path.length) * step}px`;
		describe(path);
	}
	icicle.addEventListener("keydown", (event) => {
		if (event.key === "Escape") {
			path = [root];
			draw();
		}
	});
	addEventListener("resize", draw);
	draw();
})();
