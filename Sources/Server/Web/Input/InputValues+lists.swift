extension InputValues {
    /// Whether an empty list was sent: `[]` or `{}` in JSON, `name=` or `name[]=` in a form, which has no
    /// other notation. A missing list does not count as empty.
    func isEmptyList(_ name: String) -> Bool {
        let given = all(name)
        return emptyLists.contains(name) || !given.isEmpty && given.allSatisfy(\.isEmpty)
    }
}
