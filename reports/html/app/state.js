// The page's state, kept in the address: #SECTION?q=WORDS&KEY=VALUE&case=CASE, a KEY for each fact
// that is chosen. The address and the file show everyone the same.

function readState() {
  const [section, rest] = location.hash.slice(1).split(/\?(.*)/s);
  const values = new URLSearchParams(rest || '');
  const decoded = (text) => { try { return decodeURIComponent(text); } catch { return text; } };
  const facts = Object.keys(factTitles).map((key) => [key, values.getAll(key)]).filter(([, some]) => some.length > 0);
  return {section: decoded(section || ''), q: values.get('q') || '', facts: Object.fromEntries(facts),
    case: values.get('case') || ''};
}

function addressOf(state) {
  const values = new URLSearchParams();
  if (state.q) values.set('q', state.q);
  for (const [key, some] of Object.entries(state.facts || {})) for (const value of some) values.append(key, value);
  if (state.case) values.set('case', state.case);
  const rest = values.toString();
  return `#${encodeURIComponent(state.section || '')}${rest ? `?${rest}` : ''}`;
}

// Links to a part of the page; a plain click keeps the rest of the state.
function linkTo(change, ...children) {
  return make('a', {
    href: addressOf(change),
    onclick: (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      go(change);
    },
  }, ...children);
}

// Links to a section, the cases if not given, filtered by facts alone: {key: [value, …]}.
const linkToCases = (facts, ...children) => linkTo({section: 'cases', q: '', facts, case: ''}, ...children);

const ruleLink = (id) => linkTo({section: `rule-${id}`, case: ''}, code(id));
// `section` lists the case, so a key leads to its neighbours there.
const caseLink = (name, section) => linkTo({...(section && {section}), case: name}, code(name));

// `quietly`: without an entry in the browser's history.
function go(change, quietly) {
  const address = addressOf({...readState(), ...change});
  if (address !== location.hash) history[quietly ? 'replaceState' : 'pushState'](null, '', address);
  showState('section' in change && !change.case);
}

// Set by start.js: updates the page to match the address.
let showState = () => {};
