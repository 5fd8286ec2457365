/// Whether one folder contains the other.
package enum FolderNesting {
    /// - Parameters: Absolute paths without symbolic links.
    package static func overlap(_ first: String, _ second: String) -> Bool {
        let (first, second) = (first.split(separator: "/"), second.split(separator: "/"))
        return first.starts(with: second) || second.starts(with: first)
    }
}
