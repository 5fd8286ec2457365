extension InputValues {
    /// Whether an empty list was sent: `[]` or `{}` in JSON, `name=` or `name[]=` in a form, which cannot express it
    /// otherwise. A list that was not sent is not an empty list.
    func isEmptyList(_ name: String) -> Bool {
        let given = all(name)
        return emptyLists.contains(name) || !given.isEmpty && given.allSatisfy(\.isEmpty)
    }
}
