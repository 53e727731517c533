/* --- Files: an upload, its progress, its report and answers. */
let file = null, timer = 0;
const FILE_BYTES = "file limit";
by("files-open").addEventListener("click", () => {
  by("files").open = true;
  by("file").focus();
});
const describeFormat = () => by("format-about").textContent = capital(by("format").selectedOptions[0].dataset.about) + ".";
by("format").addEventListener("change", describeFormat);
describeFormat();

async function upload(chosen) {
  if (!chosen) return;
  by("files").open = true;
  by("run").hidden = false;
  by("report").hidden = by("answers").hidden = true;
  by("run-name").textContent = chosen.name;
  by("progress").value = 0;
  const tell = (text, isBad) => say(text, isBad, "run-status");
  if (chosen.size > FILE_BYTES) return tell("This file has " + group(chosen.size) + " bytes; the most is " + group(FILE_BYTES) + ". galop solve FILE solves it.", true);
  tell("Uploading ...");
  clearTimeout(timer);
  try {
    if (file) request("DELETE", "/api/files/" + file).catch(() => {});
    const query = new URLSearchParams({
      name: chosen.name, kind: kind(), map: map(), alphabet: by("alphabet").value, format: by("format").value, unique: by("file-unique").checked ? "1" : "",
    });
    const begun = await request("POST", "/api/files?" + query, chosen, "application/octet-stream");
    file = begun.file;
    follow(file, tell);
  } catch (error) {
    tell(error.message, true);
  }
}
async function follow(token, tell) {
  try {
    const progress = await request("GET", "/api/files/" + token);
    if (token !== file) return;
    const { state, counts, bytes } = progress;
    by("progress").value = state === "done" ? 1 : bytes ? progress.bytes_done / bytes : 0;
    if (state === "failed") return tell(progress.error, true);
    if (state === "done") {
      const words = ["solved", "none", "multiple", "limit", "stuck", "malformed"].filter(word => counts[word]).map(word => group(counts[word]) + " " + word);
      tell(plural(counts.puzzles, "puzzle") + " in " + progress.seconds.toFixed(2) + " s: " + (words.join(", ") || "none") + ".");
      by("report").href = "/report/" + token;
      by("answers").href = "/answers/" + token;
      by("report").hidden = by("answers").hidden = false;
      return by("report").focus();
    }
    tell(state === "waiting" ? "Waiting for another file ..." : plural(progress.puzzles, "puzzle") + " ...");
    timer = setTimeout(() => follow(token, tell), 200);
  } catch (error) {
    tell(error.message, true);
  }
}
by("file").addEventListener("change", () => upload(by("file").files[0]));
by("stop").addEventListener("click", async () => {
  clearTimeout(timer);
  const stopped = file;
  file = null;
  by("run").hidden = true;
  by("file").value = "";
  if (stopped) await request("DELETE", "/api/files/" + stopped).catch(() => {});
});
/* A file may be dropped anywhere: elsewhere, the browser would open it in place of the page. */
for (const name of ["dragenter", "dragover", "dragleave", "drop"]) document.addEventListener(name, event => {
  if (!event.dataTransfer || ![...event.dataTransfer.types].includes("Files")) return;
  event.preventDefault();
  document.body.classList.toggle("over", name === "dragenter" || name === "dragover");
  if (name === "drop") upload(event.dataTransfer.files[0]);
});

