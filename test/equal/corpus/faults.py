def plant(text, name, most):
    return []
