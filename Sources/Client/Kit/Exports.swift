// The entities are part of this library's own interface.
@_exported public import FeedAPI
