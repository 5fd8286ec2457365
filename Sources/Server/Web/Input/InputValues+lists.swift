extension InputValues {
    /// Whether a list was sent with nothing in it: `[]` or `{}` in JSON, `name=` or `name[]=` in a form, which has no other
    /// way to say so. A list that was not sent at all is none.
    func isEmptyList(_ name: String) -> Bool {
        let given = all(name)
        return emptyLists.contains(name) || !given.isEmpty && given.allSatisfy(\.isEmpty)
    }
}
