/// How people write whom they mean: `user`, `@user`, `user@host`, `@user@host`.
struct Handle {
    let name: String
    /// Lower case; `nil` when none was written.
    let host: String?

    init(_ text: String) {
        let parts = text.drop { $0 == "@" }.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: true)
        name = parts.first.map(String.init) ?? ""
        host = parts.count > 1 ? parts[1].lowercased() : nil
    }

    /// Whether it means somebody of the server at `base`, which is its address without a trailing slash.
    func isLocal(to base: String) -> Bool {
        guard let host else { return !name.isEmpty }
        return !name.isEmpty && base.split(separator: "/").last.map(String.init) == host
    }
}
