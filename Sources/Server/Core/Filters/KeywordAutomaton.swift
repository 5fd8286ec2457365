/// Finds all of many keywords in a text in one pass (Aho and Corasick, 1975). The time is linear in the length of the
/// text plus the length of the keywords, whatever they are.
struct KeywordAutomaton: Sendable {
    private static let none: UInt32 = .max

    /// The byte that leads to each node. The children of a node are adjacent and in ascending order.
    private var labels: [UInt8] = [0]
    /// The first child of each node; those of a node end where those of the next one begin.
    private var firstChild: [UInt32] = []
    /// The node of the longest suffix that is also the beginning of a keyword.
    private var suffix: [UInt32] = [0]
    /// The node of the longest suffix that is a keyword; 0 if there is none.
    private var keywordSuffix: [UInt32] = [0]
    /// The keyword that ends at each node; ``none`` if there is none.
    private var keyword: [UInt32] = [Self.none]
    /// The node after each first byte; 0 if no keyword begins with it.
    private var starts = [UInt32](repeating: 0, count: 256)

    /// The number of keywords.
    let count: Int

    /// The approximate memory in bytes.
    var cost: Int { 18 * labels.count + 4 * starts.count }

    /// - Parameter keywords: Without repetitions; none is empty. Hits refer to their positions in this list.
    init(_ keywords: [[UInt8]]) {
        count = keywords.count
        let order = keywords.indices.sorted { keywords[$0].lexicographicallyPrecedes(keywords[$1]) }
        addNodes(order.map { (number: $0, bytes: keywords[$0]) })
        for child in children(of: 0) { starts[Int(labels[child])] = UInt32(child) }
        addSuffixes()
    }

    /// The keywords that a text contains.
    /// - Parameters:
    ///   - isFound: Whether each keyword has been found, in this text or in an earlier one. As all keywords that are
    ///     suffixes of a found one have been found with it, none of them is visited twice.
    ///   - found: Receives the newly found keywords.
    func find(in text: [UInt8], _ isFound: inout [Bool], _ found: inout [Int]) {
        guard count > 0 else { return }
        var node = 0
        for byte in text {
            node = next(node, byte)
            var end = keyword[node] == Self.none ? Int(keywordSuffix[node]) : node
            while end != 0, !isFound[Int(keyword[end])] {
                isFound[Int(keyword[end])] = true
                found.append(Int(keyword[end]))
                end = Int(keywordSuffix[end])
            }
        }
    }
}

extension KeywordAutomaton {
    private func next(_ node: Int, _ byte: UInt8) -> Int {
        var node = node
        while node != 0 {
            if let child = child(of: node, byte) { return child }
            node = Int(suffix[node])
        }
        return Int(starts[Int(byte)])
    }

    private func child(of node: Int, _ byte: UInt8) -> Int? {
        var (low, high) = (Int(firstChild[node]), Int(firstChild[node + 1]))
        while low < high {
            let middle = (low + high) / 2
            if labels[middle] == byte { return middle }
            if labels[middle] < byte { low = middle + 1 } else { high = middle }
        }
        return nil
    }

    private func children(of node: Int) -> Range<Int> { Int(firstChild[node])..<Int(firstChild[node + 1]) }

    /// Adds the nodes level by level. All keywords below a node are adjacent in ascending order.
    private mutating func addNodes(_ keywords: [(number: Int, bytes: [UInt8])]) {
        var ranges = [(keywords: keywords.indices, depth: 0)]
        var node = 0
        while node < ranges.count {
            let depth = ranges[node].depth
            var rest = ranges[node].keywords
            firstChild.append(UInt32(ranges.count))
            if let first = rest.first, keywords[first].bytes.count == depth {
                keyword[node] = UInt32(keywords[first].number)
                rest = rest.dropFirst()
            }
            while let first = rest.first {
                let label = keywords[first].bytes[depth]
                let same = rest.prefix { keywords[$0].bytes[depth] == label }
                labels.append(label)
                keyword.append(Self.none)
                ranges.append((same, depth + 1))
                rest = rest.dropFirst(same.count)
            }
            node += 1
        }
        firstChild.append(UInt32(ranges.count))
    }

    /// Adds the suffixes of each node; those of its parent and of all shorter nodes are known by then.
    private mutating func addSuffixes() {
        suffix = [UInt32](repeating: 0, count: labels.count)
        keywordSuffix = suffix
        for parent in labels.indices {
            for child in children(of: parent) where parent != 0 {
                let end = next(Int(suffix[parent]), labels[child])
                suffix[child] = UInt32(end)
                keywordSuffix[child] = keyword[end] == Self.none ? keywordSuffix[end] : UInt32(end)
            }
        }
    }
}
