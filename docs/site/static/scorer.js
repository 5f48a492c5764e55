// How the search ranks pages: how-to pages first; reference, catalogs and other languages after them.
const GUIDES = /^docs\/(install|tutorial|cookbook|new-game|own-keyword|own-campaign|share-pack|simulating|printing|playing|ci|live|editors|translating)$/;
const LATER = /^(CHANGELOG|ARCHITECTURE|CONTRIBUTING|SECURITY|docs\/(rules\/|words\/|vocabulary|bytecode|machine|wording|mutation-figures|balance|performance|reliability))/;
var Scorer = {
  score: ([docname, title, anchor, descr, score]) => {
    if (docname.startsWith("docs/fr/")) return score * 0.2;
    if (LATER.test(docname)) return score * 0.5;
    return GUIDES.test(docname) ? score * 2 : score;
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
