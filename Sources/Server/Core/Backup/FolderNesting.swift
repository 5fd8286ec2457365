/// Whether one folder contains the other.
package enum FolderNesting {
    /// - Parameters: Absolute paths without symbolic links.
    package static func overlap(_ first: String, _ second: String) -> Bool {
        let (first, second) = (names(first), names(second))
        return first.starts(with: second) || second.starts(with: first)
    }

    private static func names(_ path: String) -> [ArraySlice<UInt8>] {
        Array(path.utf8).split(separator: UInt8(ascii: "/"))
    }
}
