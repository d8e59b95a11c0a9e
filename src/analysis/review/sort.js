for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  table.querySelectorAll("th").forEach((head, column) => {
    const button = document.createElement("button");
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") !== "descending";
      for (const other of table.querySelectorAll("th")) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      // The text does not always give the order: "½/1" is half of all, and "10/40" is less than "9/10".
      const text = row => row.cells[column].dataset.sort ?? row.cells[column].textContent.trim();
      const number = row => parseFloat(text(row));
      const compare = (a, b) => {
        const [x, y] = [number(a), number(b)];
        if (isNaN(x) || isNaN(y)) {
          return isNaN(x) !== isNaN(y) ? (isNaN(x) ? -1 : 1) : text(a).localeCompare(text(b));
        }
        return x - y;
      };
      const rows = [...body.rows].sort(compare);
      body.append(...(down ? rows.reverse() : rows));
    });
  });
}
