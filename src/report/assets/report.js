/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables are sorted by the column whose title is clicked, and long ones can be searched; of a table of pairs two can be
   chosen. No less-than sign and no ampersand: the page is XML, too. */
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
document.querySelectorAll("table[data-none]").forEach((table) => {
  const rows = Array.from(table.tBodies[0].rows);
  const namesOf = (row) => [row.cells[0].textContent, row.cells[1].textContent];
  const names = Array.from(new Set(rows.flatMap(namesOf)));
  const form = document.createElement("p");
  const answer = document.createElement("output");
  const fields = [table.dataset.first, table.dataset.second].map((question, place) => {
    const label = document.createElement("label");
    const field = document.createElement("select");
    names.forEach((name) => field.add(new Option(name)));
    field.selectedIndex = place;
    label.append(question + " ", field, " ");
    form.append(label);
    return field;
  });
  const show = () => {
    const chosen = fields.map((field) => field.value);
    const row = rows.find((each) => chosen[0] !== chosen[1] ? chosen.every((name) => namesOf(each).includes(name)) : false);
    answer.replaceChildren(row ? row.cells[2].firstElementChild.cloneNode(true) : table.dataset.none);
  };
  if (names.length > 1) {
    fields.forEach((field) => field.addEventListener("change", show));
    form.append(answer);
    form.className = "pairs";
    table.parentElement.before(form);
    show();
  }
});
