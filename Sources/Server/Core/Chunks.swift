extension RandomAccessCollection {
    /// The elements in parts of a limited size, in order; no part is empty.
    /// - Parameter size: The maximum number of elements of a part, at least 1.
    package func chunks(of size: Int) -> [SubSequence] {
        let size = Swift.max(1, size)
        return stride(from: 0, to: count, by: size).map { dropFirst($0).prefix(size) }
    }
}
