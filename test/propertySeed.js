// Property-based tests draw new cases in every run, so that developers keep finding unexpected ones. In CI they draw
// the same cases each time: a change must not fail because of a case that has nothing to do with it.
if (process.env.CI) require('fast-check').configureGlobal({ seed: 20_261_121 });
