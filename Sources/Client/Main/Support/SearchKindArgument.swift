public import ArgumentParser
public import FeedClientKit

extension SearchKind: ExpressibleByArgument {}
