/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables are sorted by the column whose title is clicked, and long ones can be searched. No less-than sign and no ampersand: the page is XML, too. */
"use strict";
document.querySelectorAll("table").forEach((table) => {
  const body = table.tBodies[0];
  const heads = Array.from(table.tHead.rows[0].cells);
  const keyOf = (row, column) => {
    const cell = row.cells[column];
    return "number" in cell.dataset ? Number(cell.dataset.number) : cell.textContent;
  };
  const compare = (a, b) => {
    if (typeof a !== typeof b)
      return typeof a === "number" ? -1 : 1;
    return typeof a === "number" ? a - b : a.localeCompare(b, undefined, { numeric: true });
  };
  const sort = (column) => {
    const ascends = heads[column].getAttribute("aria-sort") !== "ascending";
    const rows = Array.from(body.rows);
    rows.sort((a, b) => compare(keyOf(a, column), keyOf(b, column)));
    body.append(...(ascends ? rows : rows.reverse()));
    heads.forEach((head) => head.removeAttribute("aria-sort"));
    heads[column].setAttribute("aria-sort", ascends ? "ascending" : "descending");
  };
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    button.addEventListener("click", () => sort(column));
    head.append(button);
  });
  if (body.rows.length >= 8) {
    const field = document.createElement("input");
    field.type = "search";
    field.placeholder = field.ariaLabel = document.documentElement.dataset.search;
    field.addEventListener("input", () => {
      const words = field.value.toLowerCase().split(/\s+/);
      Array.from(body.rows).forEach((row) => {
        const text = row.textContent.toLowerCase();
        row.hidden = !words.every((word) => text.includes(word));
      });
    });
    table.parentElement.before(field);
  }
});
